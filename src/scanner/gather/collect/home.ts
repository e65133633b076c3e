import { found } from '../../evidence/evidence.js';
import type { Home, PageFacts } from '../../evidence/pages.js';
import { isSameSite } from '../../evidence/site-address.js';
import { parseLinkHeaders } from '../../parse/header-values.js';
import { parsePage } from '../../parse/html.js';
import { isHtmlType, parseMediaType } from '../../parse/media-type.js';
import { decodeHtml, looksLikeHtml } from '../../parse/text.js';
import { readPageInTurn } from '../context/large-pages.js';
import type { Collector } from './collector.js';
import type { SiteResponse } from '../fetch/visit.js';

/** The home page as answered; what another site's page says of itself is not taken for this site's word. */
export const collectHome: Collector<'home'> = async (context) => {
  const baseline = await context.baseline();
  if ('failed' in baseline) return baseline;
  const { response, isHttpFallback } = baseline;
  const isElsewhere = !isSameSite(response.url, context.target.origin);
  return found<Home>({
    url: response.url,
    status: response.status,
    isHttpFallback,
    isElsewhere,
    linkHeaders: isElsewhere ? [] : parseLinkHeaders(response.headers.all('link'), response.url),
    robotsTags: isElsewhere ? [] : response.headers.all('x-robots-tag'),
    preferenceHeaders: isElsewhere ? [] : preferencesOf(response),
    page: isElsewhere ? null : await pageOf(response),
  });
};

/** What an answer holds as an HTML page; null when it is none: another status or type, or nothing in it. */
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

function preferencesOf({ headers }: SiteResponse): Home['preferenceHeaders'] {
  const fields = ['content-signal', 'content-usage'] as const;
  return fields.flatMap((field) => headers.all(field).map((value) => ({ field, value })));
}
