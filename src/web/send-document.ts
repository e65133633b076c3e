import { entityTagOf, isNotModified } from '../platform/http/conditional.js';
import type { Exchange } from './exchange.js';

export interface TextDocument {
  readonly type: string;
  readonly text: string;
  readonly cacheControl: string;
}

/** Answers with a text that is the same for everybody: programs of every origin may read it, and ask whether theirs is current. */
export function sendDocument(exchange: Exchange, { type, text, cacheControl }: TextDocument): void {
  exchange.set('Content-Type', type);
  exchange.set('Access-Control-Allow-Origin', '*');
  exchange.set('Cache-Control', cacheControl);
  if (!isNotModified(exchange, entityTagOf(text))) exchange.body = text;
}
