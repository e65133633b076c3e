import { evidenceOf, found } from '../artifacts/evidence.js';
import { ROBOTS_BYTES_MAX, type RobotsFile, type RobotsTxt, type RobotsOutcome } from '../artifacts/robots.js';
import { term } from '../artifacts/safe-text.js';
import { SCANNER_TOKEN } from '../artifacts/scanner.js';
import { crawlDelayOf, parseRobots } from '../parsers/robots.js';
import type { Collector } from '../probe/context.js';
import { toFileFacts } from '../probe/page.js';
import type { SiteResponse } from '../client/visit.js';

/** Bytes that every crawler reads: 500 KiB (RFC 9309 §2.5). */
const CRAWLER_BYTES_MAX = 512_000;

/** Reads robots.txt of the file origin. A 4xx other than 429 and too many redirects mean that there is none (RFC 9309 §2.3.1). */
export const collectRobots: Collector<'robots'> = async (context) => {
  const read = await context.readFile('/robots.txt', 'txt', {
    bodyBytesMax: ROBOTS_BYTES_MAX,
    isRobots: true,
    validates: (response) => isRobots(parseBody(response)),
  });
  if (read.kind === 'unreachable' && 'failure' in read.cause && read.cause.failure === 'redirect_loop')
    return found<RobotsOutcome>({ kind: 'absent', status: null });
  if (read.kind !== 'present') return evidenceOf(term('/robots.txt'), read);
  const value = toRobotsFile(read.value, await context.fileOrigin());
  context.visit.applyCrawlDelay(crawlDelayOf(value.robots, SCANNER_TOKEN));
  return found<RobotsOutcome>({ kind: 'present', value });
};

/** Parses the body as UTF-8 (RFC 9309 §2.2), whatever its charset or byte order mark says. A line that our limit cut would mean something else. */
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
  if (body.length <= CRAWLER_BYTES_MAX) return false;
  // The last of these lines is cut by the limit, so it counts as past it.
  const cutLine = Buffer.from(body.subarray(0, CRAWLER_BYTES_MAX))
    .toString('latin1')
    .split(/\r\n|\n|\r/).length;
  return robots.groups.rfc.some((group) => group.rules.some((rule) => rule.line >= cutLine));
}

function isRobots(robots: RobotsTxt): boolean {
  return robots.groups.google.length > 0 || robots.sitemaps.length > 0;
}
