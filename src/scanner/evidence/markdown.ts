import type { SafeText } from './safe-text.js';

/** One answer to one Accept header. */
export type NegotiatedReply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Type and subtype in lower case, or null. */
      readonly mediaType: string | null;
      /** Whether the body is HTML, judged by its bytes rather than its type. */
      readonly isHtml: boolean;
      /** Characters of the body without surrounding white space. */
      readonly characterCount: number;
      readonly variesByAccept: boolean;
    }
  /** No meaningful answer: refused, 429, 5xx or incomplete. */
  | { readonly kind: 'unknown'; readonly detail: SafeText };

export interface NegotiatedPage {
  /** Position in the sample; 1 is the home page. */
  readonly position: number;
  /** The answer to an Accept that prefers text/markdown. */
  readonly markdown: NegotiatedReply;
  /** The answer to a subsequent `Accept: text/html`; null if the first answer was HTML, so that nothing could be mixed up. */
  readonly html: NegotiatedReply | null;
  /** The answer from the page's `<link rel="alternate" type="text/markdown">`; null without one. */
  readonly alternate: NegotiatedReply | null;
}

export interface MarkdownNegotiation {
  /** The home page and up to 2 others of the sample. */
  readonly pages: readonly [NegotiatedPage, ...NegotiatedPage[]];
}
