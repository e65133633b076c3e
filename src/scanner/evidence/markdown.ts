import type { SafeText } from './safe-text.js';

/** One answer to one Accept header. */
export type NegotiatedReply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Type and subtype in lower case, or null. */
      readonly mediaType: string | null;
      /** Whether the body is HTML, by its own bytes whatever its type says. */
      readonly isHtml: boolean;
      /** Characters of the body without the white space around it. */
      readonly characterCount: number;
      readonly variesByAccept: boolean;
    }
  /** No answer that says anything: refused, 429, 5xx or no complete answer. */
  | { readonly kind: 'unknown'; readonly detail: SafeText };

export interface NegotiatedPage {
  /** Position in the sample; 1 is the home page. */
  readonly position: number;
  /** To an Accept that prefers text/markdown. */
  readonly markdown: NegotiatedReply;
  /** To `Accept: text/html` after it; null where the first answer was HTML, so that there was nothing to mix up. */
  readonly html: NegotiatedReply | null;
  /** What the page's `<link rel="alternate" type="text/markdown">` answers; null without one. */
  readonly alternate: NegotiatedReply | null;
}

export interface MarkdownNegotiation {
  /** The home page and up to 2 others of the sample. */
  readonly pages: readonly [NegotiatedPage, ...NegotiatedPage[]];
}
