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

/** The home page as answered. Statements on another site's page do not count as this site's. */
export const collectHome: Collector<'home'> = async (context) => {
  const baseline = await context.baseline();
  if ('failed' in baseline) return baseline;
  const { response, isHttpFallback } = baseline;
  const isElsewhere = !isSameSite(response.url, context.target.origin);
  const page = isElsewhere ? null : await pageOf(response);
  return found<Home>({
    url: response.url,
    status: response.status,
    isHttpFallback,
    isElsewhere,
    linkHeaders: isElsewhere ? [] : parseLinkHeaders(response.headers.all('link'), response.url),
    robotsTags: isElsewhere ? [] : response.headers.all('x-robots-tag'),
    preferenceHeaders: isElsewhere ? [] : preferencesOf(response),
    isScriptRedirect: page?.isScriptRedirect === true,
    page: page?.isScriptRedirect === true ? null : page,
  });
};

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

function preferencesOf({ headers }: SiteResponse): Home['preferenceHeaders'] {
  const fields = ['content-signal', 'content-usage'] as const;
  return fields.flatMap((field) => headers.all(field).map((value) => ({ field, value })));
}
