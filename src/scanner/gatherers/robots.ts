import { found, shortfallOf } from '../artifacts/evidence.js';
import type { Outcome } from '../artifacts/resource.js';
import { ROBOTS_BYTES_MAX, type RobotsFile, type RobotsTxt } from '../artifacts/robots.js';
import { term } from '../artifacts/safe-text.js';
import { SCANNER_TOKEN } from '../artifacts/scanner.js';
import { parseMediaType } from '../parsers/media-type.js';
import { countLines } from '../parsers/robots.js';
import { readRobots } from '../parsers/robots-octets.js';
import { crawlDelayOf } from '../parsers/robots-match.js';
import type { Collector } from '../probe/collector.js';
import { toFileFacts } from '../probe/file-facts.js';
import type { SiteResponse } from '../client/visit.js';

/** The part that every crawler reads: 500 KiB (RFC 9309 §2.5). */
const CRAWLER_BYTES_MAX = 512_000;

/** robots.txt of the file origin. Any 4xx except 429 means that there is none (RFC 9309 §2.3.1.3). */
export const collectRobots: Collector<'robots'> = async (context) => {
  const read = await context.readFile('/robots.txt', 'txt', {
    bodyBytesMax: ROBOTS_BYTES_MAX,
    isRefusalAbsent: true,
    validates: async (response) => isRobots(await parseBody(response)),
  });
  if ('failed' in read) {
    return shortfallOf(term('/robots.txt'), read.failed);
  }
  if (read.ok.kind !== 'present') return found(read.ok);
  const value = await toRobotsFile(read.ok.value, await context.fileOrigin());
  context.visit.keepPace(crawlDelayOf(value.robots, SCANNER_TOKEN));
  return found<Outcome<RobotsFile>>({ kind: 'present', value });
};

function parseBody({ body, headers }: SiteResponse): Promise<RobotsTxt> {
  return readRobots(body, parseMediaType(headers.get('content-type')).charset);
}

async function toRobotsFile(response: SiteResponse, origin: URL): Promise<RobotsFile> {
  const file = await toFileFacts(response);
  const robots = await parseBody(response);
  return { origin, file, robots, hasRulesPastLimit: hasRulesPastLimit(robots, response.body) };
}

function hasRulesPastLimit(robots: RobotsTxt, body: Uint8Array): boolean {
  if (body.length <= CRAWLER_BYTES_MAX) return false;
  // The limit cuts through the last of these lines, so that line also counts as past it.
  const cutLine = countLines(Buffer.from(body.subarray(0, CRAWLER_BYTES_MAX)).toString('latin1'));
  return robots.groups.some((group) => group.rules.some((rule) => rule.line >= cutLine));
}

function isRobots(robots: RobotsTxt): boolean {
  return robots.groups.length > 0 || robots.sitemaps.length > 0;
}
