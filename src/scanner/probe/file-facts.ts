import type { FileFacts } from '../artifacts/resource.js';
import { parseMediaType } from '../parsers/media-type.js';
import { decodeBody, looksLikeHtml } from '../parsers/text.js';
import type { SiteResponse } from '../client/visit.js';

/** Extracts the facts that checks use from a 2xx response. */
export function toFileFacts(response: SiteResponse): FileFacts {
  const { essence, charset } = parseMediaType(response.headers.get('content-type'));
  const text = decodeBody(response.body, charset);
  return {
    status: response.status,
    mediaType: essence,
    isHtml: looksLikeHtml(text),
    text,
    byteCount: response.byteCount,
    isOverLimit: response.isOverLimit,
    redirectCount: response.hops.length,
  };
}
