import { answer, entityTagOf } from '../../platform/http/answer.js';
import type { WebContext } from './context.js';

export interface TextDocument {
  readonly type: string;
  readonly text: string;
  readonly cacheControl: string;
}

/** Sends a public text with CORS and an entity tag. */
export function sendDocument(ctx: WebContext, { type, text, cacheControl }: TextDocument): void {
  const body = Buffer.from(text);
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Cache-Control', cacheControl);
  ctx.set('ETag', entityTagOf(body));
  answer(ctx, 200, type, body);
}
