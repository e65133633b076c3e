import { found } from '../artifacts/evidence.js';
import type { Home } from '../artifacts/pages.js';
import { isSameSite, publicHostname } from '../artifacts/site-address.js';
import { parseLinkHeaders } from '../parsers/headers.js';
import { pageOf, findCandidates, isPrivatePath } from '../probe/page.js';
import type { Collector } from '../probe/context.js';
import type { SiteResponse } from '../client/visit.js';

/** Reads the home page. If it redirects to another site, that page's headers and content do not count. */
export const collectHome: Collector<'home'> = async (context) => {
  const baseline = await context.baseline();
  if ('failed' in baseline) return baseline;
  const { response, httpsFailure } = baseline;
  const { url, status, headers } = response;
  if (!isSameSite(url, context.target.origin)) {
    const isTemporary = response.redirectedTemporarily === true;
    const move = isPrivatePath(url) ? null : { hostname: publicHostname(url), isTemporary };
    return found<Home>({ ...NOTHING, url, status, httpsFailure, isElsewhere: true, move });
  }
  const answered = pageOf(response);
  const isScriptRedirect = answered?.isScriptRedirect === true;
  const page = isScriptRedirect ? null : answered;
  return found<Home>({
    url,
    status,
    httpsFailure,
    isElsewhere: false,
    move: null,
    linkHeaders: parseLinkHeaders(headers.all('link'), url),
    robotsTags: headers.all('x-robots-tag'),
    preferenceHeaders: preferencesOf(response),
    isScriptRedirect,
    page,
    candidates: page === null ? [] : findCandidates(context.target, page, url),
  });
};

/** The content of a home page that is another site's. */
const NOTHING = {
  linkHeaders: [],
  robotsTags: [],
  preferenceHeaders: [],
  isScriptRedirect: false,
  page: null,
  candidates: [],
};

/** Collects the status of a URL that does not exist; null without a response. */
export const collectUnknownAddress: Collector<'unknownAddress'> = async (context) => {
  return found(await context.controlStatus(await context.fileOrigin()));
};

function preferencesOf({ headers }: SiteResponse): Home['preferenceHeaders'] {
  const fields = ['content-signal', 'content-usage'] as const;
  return fields.flatMap((field) => headers.all(field).map((value) => ({ field, value })));
}
