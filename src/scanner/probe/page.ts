import type { PageFacts } from '../artifacts/pages.js';
import { parsePage } from '../parsers/html.js';
import { isHtmlType, parseMediaType, XHTML_TYPE } from '../parsers/media-type.js';
import { decodeHtml, looksLikeHtml, decodeBody } from '../parsers/text.js';
import type { SiteResponse } from '../client/visit.js';
import type { FileFacts } from '../artifacts/resource.js';

/** Parses an HTML page; null for another status or type, or an empty body. */
export function pageOf(response: SiteResponse): PageFacts | null {
  const { essence, charset } = parseMediaType(response.headers.get('content-type'));
  if (response.status < 200 || response.status > 299) return null;
  if (essence !== null && !isHtmlType(essence)) return null;
  const text = decodeHtml(response.body, charset);
  if (text.trim() === '' || (essence === null && !looksLikeHtml(text))) return null;
  return parsePage(text, response.url, { isCut: response.isOverLimit, isXhtml: essence === XHTML_TYPE });
}

/** Extracts the facts that checks use from a 2xx response. */
export function toFileFacts(response: SiteResponse): FileFacts {
  const { essence, charset } = parseMediaType(response.headers.get('content-type'));
  const text = decodeBody(response.body, charset);
  return {
    mediaType: essence,
    isHtml: looksLikeHtml(text),
    text,
    isOverLimit: response.isOverLimit,
  };
}
