import { found, evidenceOf } from '../artifacts/evidence.js';
import type { Home } from '../artifacts/pages.js';
import { isSameSite, publicHostname } from '../../net/url-gate.js';
import { parseLinkHeaders } from '../parsers/headers.js';
import { pageOf, findCandidates, isPrivatePath, toFileFacts } from '../probe/page.js';
import type { Collector } from '../probe/context.js';
import type { SiteResponse } from '../client/visit.js';
import { ROBOTS_BYTES_MAX, type RobotsFile, type RobotsTxt, type RobotsOutcome } from '../artifacts/robots.js';
import { term } from '../artifacts/safe-text.js';
import { SCANNER_TOKEN } from '../artifacts/scanner.js';
import { crawlDelayOf, parseRobots } from '../parsers/robots.js';

/** Reads the home page. If it redirects to another site, that page's headers and content do not count. */
export const collectHome: Collector<'home'> = async (context) => {
  const baseline = await context.baseline();
  if ('failed' in baseline) return baseline;
  const { response, httpsFailure } = baseline;
  const { url, status, headers } = response;
  if (!isSameSite(url, context.target.origin)) {
    const move = isPrivatePath(url) ? null : { hostname: publicHostname(url) };
    return found<Home>({ ...NO_CONTENT, url, status, httpsFailure, isElsewhere: true, move });
  }
  const parsed = pageOf(response);
  const isScriptRedirect = parsed?.isScriptRedirect === true;
  const page = isScriptRedirect ? null : parsed;
  return found<Home>({
    url,
    status,
    httpsFailure,
    isElsewhere: false,
    move: null,
    linkHeaders: parseLinkHeaders(headers.all('link'), url),
    robotsTags: headers.all('x-robots-tag'),
    preferenceHeaders: readPreferences(response),
    isScriptRedirect,
    page,
    candidates: page === null ? [] : findCandidates(context.target, page, url),
  });
};

/** The content of a home page on another site, which does not count. */
const NO_CONTENT = {
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

function readPreferences({ headers }: SiteResponse): Home['preferenceHeaders'] {
  const fields = ['content-signal', 'content-usage'] as const;
  return fields.flatMap((field) => headers.all(field).map((value) => ({ field, value })));
}

/** Every crawler must read at least this many bytes: 500 KiB (RFC 9309 §2.5). */
const CRAWLER_BYTES_MIN = 512_000;

/** Reads robots.txt of the file origin. A 4xx other than 429, or too many redirects, means that there is none (RFC 9309 §2.3.1). */
export const collectRobots: Collector<'robots'> = async (context) => {
  const read = await context.readFile('/robots.txt', 'txt', {
    bodyBytesMax: ROBOTS_BYTES_MAX,
    isRobots: true,
    validates: (response) => looksLikeRobots(parseBody(response)),
  });
  if (read.kind === 'unreachable' && 'failure' in read.cause && read.cause.failure === 'redirect_loop')
    return found<RobotsOutcome>({ kind: 'absent', status: null });
  if (read.kind !== 'present') return evidenceOf(term('/robots.txt'), read);
  const value = toRobotsFile(read.value, await context.fileOrigin());
  context.visit.applyCrawlDelay(crawlDelayOf(value.robots, SCANNER_TOKEN));
  return found<RobotsOutcome>({ kind: 'present', value });
};

/** Parses the body as UTF-8 (RFC 9309 §2.2), whatever its charset or byte order mark says. Drops a line that our limit cut short. */
function parseBody({ body, isOverLimit }: SiteResponse): RobotsTxt {
  const text = Buffer.from(body).toString();
  const wholeLines = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  return parseRobots(isOverLimit ? text.slice(0, wholeLines) : text);
}

function toRobotsFile(response: SiteResponse, origin: URL): RobotsFile {
  const file = toFileFacts(response);
  const robots = parseBody(response);
  return { origin, file, robots, hasRulesPastLimit: hasRulesPastLimit(robots, response.body) };
}

function hasRulesPastLimit(robots: RobotsTxt, body: Uint8Array): boolean {
  if (body.length <= CRAWLER_BYTES_MIN) return false;
  // The last of these lines is cut by the limit, so it counts as past it.
  const cutLine = Buffer.from(body.subarray(0, CRAWLER_BYTES_MIN))
    .toString('latin1')
    .split(/\r\n|\n|\r/).length;
  return robots.groups.rfc.some((group) => group.rules.some((rule) => rule.line >= cutLine));
}

function looksLikeRobots(robots: RobotsTxt): boolean {
  return robots.groups.google.length > 0 || robots.sitemaps.length > 0;
}
