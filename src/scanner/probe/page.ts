import type { PageFacts } from '../artifacts/pages.js';
import { parsePage } from '../parsers/html.js';
import { isHtmlType, parseMediaType } from '../parsers/media-type.js';
import { decodeHtml, looksLikeHtml } from '../parsers/text.js';
import type { SiteResponse } from '../client/visit.js';
import { readPageInTurn } from './large-pages.js';

/** The facts of an HTML answer; null if it is not one: another status or type, or an empty body. */
export async function pageOf(response: SiteResponse): Promise<PageFacts | null> {
  const { essence, charset } = parseMediaType(response.headers.get('content-type'));
  if (response.status < 200 || response.status > 299) return null;
  if (essence !== null && !isHtmlType(essence)) return null;
  return readPageInTurn(response.body, async () => {
    const { text } = await decodeHtml(response.body, charset);
    if (text.trim() === '' || (essence === null && !looksLikeHtml(text))) return null;
    return parsePage(text, response.url, { isCut: response.isOverLimit });
  });
}
