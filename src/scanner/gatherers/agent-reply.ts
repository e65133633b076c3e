import type { AgentReply } from '../artifacts/agent-replies.js';
import { parsePage } from '../parsers/html.js';
import { isHtmlType, parseMediaType } from '../parsers/media-type.js';
import { decodeHtml, looksLikeHtml } from '../parsers/text.js';
import { detectChallenge } from '../client/challenge.js';
import { readPageInTurn } from '../probe/large-pages.js';
import type { Fetched, SiteResponse } from '../client/visit.js';

const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 406, 451]);

/** A 2xx with less than this share of the baseline's text, and fewer than this many characters, counts as a silent refusal. */
const EMPTIED_SHARE = 0.1;
const EMPTIED_CHARS = 500;

/**
 * What an answer says of the name that it was given to. Of its body, only the amount of text is kept.
 * @param baselineChars how many characters of text the page has under our own name
 */
export async function classifyReply(fetched: Fetched, baselineChars: number): Promise<AgentReply> {
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
  const chars = await readPageInTurn(response.body, () => countTextChars(response));
  // A page longer than what we read cannot be called empty.
  const isEmptied = !response.isOverLimit && chars < EMPTIED_CHARS && chars < baselineChars * EMPTIED_SHARE;
  if (isEmptied) return { kind: 'refused', cause: 'emptied' };
  return { kind: 'served', textShare: baselineChars === 0 ? null : chars / baselineChars };
}

/** An agent may get Markdown or plain text instead of the page: then all of it is text. */
async function countTextChars(response: SiteResponse): Promise<number> {
  const { essence, charset } = parseMediaType(response.headers.get('content-type'));
  const { text } = await decodeHtml(response.body, charset);
  if (!isHtmlType(essence) && !looksLikeHtml(text)) return text.trim().length;
  const page = await parsePage(text, response.url, { isCut: response.isOverLimit });
  return page.text.length;
}
