import type { ParameterizedContext } from 'koa';
import type { Refusal } from '../errors.js';
import { answer } from './answer.js';
import type { RequestState } from './request-state.js';

/** Sends JSON text unchanged. */
export function sendJson(ctx: ParameterizedContext<RequestState>, status: number, body: Uint8Array): void {
  answer(ctx, status, 'application/json', body);
}

/** The body of every error (contract, "Errors"). */
export function errorBody({ code, message }: { readonly code: string; readonly message: string }): Buffer {
  return Buffer.from(JSON.stringify({ error: { code, message } }));
}

export function sendError(ctx: ParameterizedContext<RequestState>, refusal: Refusal): void {
  sendJson(ctx, refusal.status, errorBody(refusal));
}
