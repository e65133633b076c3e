import { entityTagOf, isNotModified } from '../../platform/http/conditional.js';
import type { WebContext } from './context.js';

export interface TextDocument {
  readonly type: string;
  readonly text: string;
  readonly cacheControl: string;
}

/** Answers with a public text: programs of any origin may read it, and revalidate their copy. */
export function sendDocument(ctx: WebContext, { type, text, cacheControl }: TextDocument): void {
  ctx.set('Content-Type', type);
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Cache-Control', cacheControl);
  if (!isNotModified(ctx, entityTagOf(text))) ctx.body = text;
}
