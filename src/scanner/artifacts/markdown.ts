import type { ServedText } from './pages.js';
import type { SafeText } from './safe-text.js';

/** Accept header that asks a page for Markdown, but also accepts HTML. */
export const PAGE_ACCEPT = 'text/markdown, text/html;q=0.8, */*;q=0.1';
/** Accept header for a URL that should be the Markdown version of a page. */
export const VERSION_ACCEPT = 'text/markdown, text/plain;q=0.9, */*;q=0.1';

/** The response to one Accept header. */
export type NegotiatedReply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Type and subtype in lower case, or null. */
      readonly mediaType: string | null;
      /** True if the bytes are HTML, regardless of the type. */
      readonly isHtml: boolean;
      /** Length of the body without surrounding white space. */
      readonly characterCount: number;
      readonly wordCount: number;
      /** Equal for bodies that differ only in numbers and in the name of their page. */
      readonly fingerprint: string;
      readonly variesByAccept: boolean;
    }
  /** No meaningful response: refused, 429, 5xx or incomplete. */
  | { readonly kind: 'unknown'; readonly detail: SafeText };

export interface NegotiatedPage {
  /** Position in the sample; 1 is the home page. */
  readonly position: number;
  /** The text of the page as HTML. */
  readonly served: ServedText;
  /** The response to an Accept that prefers text/markdown. */
  readonly markdown: NegotiatedReply;
  /** The response to a later `Accept: text/html`; null if the first response was HTML, since no cache can then mix them up. */
  readonly html: NegotiatedReply | null;
  /** The response from the page's `<link rel="alternate" type="text/markdown">`; null if there is no such link. */
  readonly alternate: NegotiatedReply | null;
  /** The Markdown found at a URL that llms.txt v2 suggests, such as `/guide.html.md`; null if none was found or needed. */
  readonly twin: NegotiatedReply | null;
}

/** Shorter bodies cannot be the content of a page. */
const BODY_CHARS_MIN = 50;

/** True for Markdown that an agent can use: the type says Markdown, and the body is neither HTML nor almost empty. */
export function isMarkdown(reply: NegotiatedReply | null): reply is Extract<NegotiatedReply, { kind: 'answered' }> {
  return (
    reply?.kind === 'answered' &&
    reply.status === 200 &&
    reply.mediaType === 'text/markdown' &&
    !reply.isHtml &&
    reply.characterCount >= BODY_CHARS_MIN
  );
}

export interface MarkdownNegotiation {
  /** The home page and up to 2 others of the sample. */
  readonly pages: readonly NegotiatedPage[];
}
