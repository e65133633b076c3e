import { found } from '../artifacts/evidence.js';
import type { Home } from '../artifacts/pages.js';
import { isSameSite, publicHostname } from '../artifacts/site-address.js';
import { parseLinkHeaders } from '../parsers/header-values.js';
import { pageOf } from '../probe/page.js';
import { isPrivatePath } from '../probe/private-path.js';
import type { Collector } from '../probe/collector.js';
import type { SiteResponse } from '../client/visit.js';

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
    move: isElsewhere && !isPrivatePath(response.url) ? { hostname: publicHostname(response.url) } : null,
    linkHeaders: isElsewhere ? [] : parseLinkHeaders(response.headers.all('link'), response.url),
    robotsTags: isElsewhere ? [] : response.headers.all('x-robots-tag'),
    preferenceHeaders: isElsewhere ? [] : preferencesOf(response),
    isScriptRedirect: page?.isScriptRedirect === true,
    page: page?.isScriptRedirect === true ? null : page,
  });
};

function preferencesOf({ headers }: SiteResponse): Home['preferenceHeaders'] {
  const fields = ['content-signal', 'content-usage'] as const;
  return fields.flatMap((field) => headers.all(field).map((value) => ({ field, value })));
}
