import { found } from '../artifacts/evidence.js';
import type { Home } from '../artifacts/pages.js';
import { isSameSite, publicHostname } from '../artifacts/site-address.js';
import { parseLinkHeaders } from '../parsers/header-values.js';
import { pageOf } from '../probe/page.js';
import { isPrivatePath } from '../probe/sample-candidates.js';
import type { Collector } from '../probe/context.js';
import type { SiteResponse } from '../client/visit.js';

/** Reads the home page. If it redirects to another site, that page's headers and content do not count. */
export const collectHome: Collector<'home'> = async (context) => {
  const baseline = await context.baseline();
  if ('failed' in baseline) return baseline;
  const { response, httpsFailure } = baseline;
  const isElsewhere = !isSameSite(response.url, context.target.origin);
  const page = isElsewhere ? null : pageOf(response);
  return found<Home>({
    url: response.url,
    status: response.status,
    httpsFailure,
    isElsewhere,
    move:
      isElsewhere && !isPrivatePath(response.url)
        ? { hostname: publicHostname(response.url), isTemporary: response.redirectedTemporarily === true }
        : null,
    linkHeaders: isElsewhere ? [] : parseLinkHeaders(response.headers.all('link'), response.url),
    robotsTags: isElsewhere ? [] : response.headers.all('x-robots-tag'),
    preferenceHeaders: isElsewhere ? [] : preferencesOf(response),
    isScriptRedirect: page?.isScriptRedirect === true,
    page: page?.isScriptRedirect === true ? null : page,
  });
};

/** Collects the status of a URL that does not exist; null without a response. */
export const collectUnknownAddress: Collector<'unknownAddress'> = async (context) => {
  return found(await context.controlStatus(await context.fileOrigin()));
};

function preferencesOf({ headers }: SiteResponse): Home['preferenceHeaders'] {
  const fields = ['content-signal', 'content-usage'] as const;
  return fields.flatMap((field) => headers.all(field).map((value) => ({ field, value })));
}
