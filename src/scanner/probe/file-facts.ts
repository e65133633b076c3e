import type { FileFacts } from '../artifacts/resource.js';
import { parseMediaType } from '../parsers/media-type.js';
import { decodeBody, looksLikeHtml } from '../parsers/text.js';
import type { SiteResponse } from '../client/visit.js';

/** What a judge may know about a file that was answered with 2xx. */
export async function toFileFacts(response: SiteResponse): Promise<FileFacts> {
  const { essence, charset } = parseMediaType(response.headers.get('content-type'));
  const { text, isValidText } = await decodeBody(response.body, charset);
  return {
    status: response.status,
    mediaType: essence,
    isHtml: looksLikeHtml(text),
    isValidText,
    text,
    byteCount: response.byteCount,
    isOverLimit: response.isOverLimit,
    redirectCount: response.hops.length,
  };
}
