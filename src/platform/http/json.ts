import type { ParameterizedContext } from 'koa';
import type { Refusal } from '../errors.js';

/** Sends JSON text unchanged. */
export function sendJson(ctx: ParameterizedContext, status: number, body: Uint8Array): void {
  ctx.status = status;
  ctx.set('Content-Type', 'application/json');
  ctx.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** The body of every error (contract, "Errors"). */
export function errorBody({ code, message }: { readonly code: string; readonly message: string }): Buffer {
  return Buffer.from(JSON.stringify({ error: { code, message } }));
}

export function sendError(ctx: ParameterizedContext, refusal: Refusal): void {
  sendJson(ctx, refusal.status, errorBody(refusal));
}
