import { entityTagOf } from '../platform/http/entity-tag.js';
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
  exchange.set('ETag', entityTagOf(text));
  exchange.status = 200;
  if (exchange.fresh) exchange.status = 304;
  else exchange.body = text;
}
