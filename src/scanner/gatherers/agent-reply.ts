import type { AgentReply } from '../artifacts/agent-replies.js';
import { parsePage } from '../parsers/html.js';
import { isHtmlType, parseMediaType, XHTML_TYPE } from '../parsers/media-type.js';
import { decodeHtml, looksLikeHtml } from '../parsers/text.js';
import { detectChallenge } from '../client/challenge.js';
import type { Fetched, SiteResponse } from '../client/visit.js';

const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 406, 451]);

/** A 2xx response with less than this share of the baseline's text and fewer than this many characters is a silent refusal. */
const EMPTIED_SHARE = 0.1;
const EMPTIED_CHARS = 500;

/**
 * Classifies how a page responds to an agent's name. Stores only the amount of text of the body.
 * @param baselineChars characters of text that the page has under our own name
 */
export function classifyReply(fetched: Fetched, baselineChars: number): AgentReply {
  if ('failure' in fetched) {
    const { failure } = fetched;
    if (failure === 'stalled') return { kind: 'stalled' };
    return failure === 'reset' ? { kind: 'refused', cause: 'reset' } : { kind: 'unsettled', cause: failure };
  }
  const { response } = fetched;
  if (detectChallenge(response) !== null) return { kind: 'refused', cause: 'challenge' };
  const { status } = response;
  if (REFUSALS.has(status)) return { kind: 'refused', cause: { status } };
  if (status < 200 || status > 299) return { kind: 'unsettled', cause: { status } };
  const chars = countTextChars(response);
  // A page longer than what we read cannot be called empty.
  const isEmptied = !response.isOverLimit && chars < EMPTIED_CHARS && chars < baselineChars * EMPTIED_SHARE;
  if (isEmptied) return { kind: 'refused', cause: 'emptied' };
  return { kind: 'served', textShare: baselineChars === 0 ? null : chars / baselineChars };
}

/** Counts the characters of a page's text, or of the whole body if an agent gets Markdown or plain text instead. */
function countTextChars(response: SiteResponse): number {
  const { essence, charset } = parseMediaType(response.headers.get('content-type'));
  const text = decodeHtml(response.body, charset);
  if (!isHtmlType(essence) && !looksLikeHtml(text)) return text.trim().length;
  const page = parsePage(text, response.url, { isCut: response.isOverLimit, isXhtml: essence === XHTML_TYPE });
  return page.text.length;
}
