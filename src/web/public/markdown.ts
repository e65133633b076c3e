import type { WebContext } from '../server/context.js';
import { sendDocument } from '../server/send-document.js';

/** With the parameter, so that a client that asks for `text/markdown; charset=utf-8` gets it, too. */
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

/**
 * Whether Markdown is preferred to HTML (RFC 9110 §12.5.1): only where it is named, since a wildcard asks for nothing in
 * particular. Caches learn that the answer depends on it.
 */
export function prefersMarkdown(ctx: WebContext): boolean {
  ctx.vary('Accept');
  return ctx.accepts(HTML_TYPE, MARKDOWN_TYPE) === MARKDOWN_TYPE;
}

export function sendMarkdown(ctx: WebContext, text: string): void {
  sendDocument(ctx, { type: MARKDOWN_TYPE, text, cacheControl: 'no-cache' });
}
