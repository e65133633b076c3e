import { distinctBy } from '../../net/keyed.js';
import { found, type Evidence, valueOf } from '../artifacts/evidence.js';
import type { RobotsOutcome } from '../artifacts/robots.js';
import {
  type FoundSitemap,
  type SitemapLocation,
  type SitemapSearch,
  type SitemapTry,
  DEFAULT_SITEMAP_PATHS,
  type SitemapProblem,
  type SitemapReading,
  SITEMAP_PROBLEMS,
} from '../artifacts/sitemaps.js';
import { withoutFragment } from '../../net/url-gate.js';
import type { CollectContext, Collector } from '../probe/context.js';
import type { ReadOptions } from '../probe/outcome.js';
import type { Outcome } from '../artifacts/resource.js';
import { term, safeText } from '../artifacts/safe-text.js';
import { parseMediaType } from '../parsers/text.js';
import { SitemapReader } from '../parsers/sitemap/sitemap.js';
import type { Priority, SiteResponse } from '../client/visit.js';

/** Maximum number of `Sitemap:` lines that are tried. */
const DECLARED_MAX = 5;

/** A location to try. `url` is null if the `Sitemap:` line has no absolute URL. */
interface Candidate {
  readonly location: SitemapLocation;
  readonly url: URL | null;
}

/**
 * Finds the first sitemap that works. The first `Sitemap:` line of robots.txt is requested alone, since it nearly always works; then the
 * other lines in parallel, then the default locations in parallel.
 */
export const collectSitemap: Collector<'sitemap'> = async (context) => {
  const [robots, home] = await Promise.all([context.evidence('robots'), context.evidence('home')]);
  if ('failed' in home) return home;
  const { page, candidates } = home.ok;
  const hasLinks = candidates.some(({ path }) => path === undefined);
  const facts = {
    isRobotsUnread: isUnread(robots),
    isOnePageSite: page === null || (!page.hasScript && !hasLinks && (page.areLinksCut ? null : true)),
  };
  const declared = declaredCandidates(robots);
  const rounds = [declared.slice(0, 1), declared.slice(1), defaultCandidates(await context.fileOrigin(), declared)];
  const tries: SitemapTry[] = [];
  for (const round of rounds) {
    const attempts = await Promise.all(round.map((candidate) => tryCandidate(context, candidate)));
    for (const { tried, sitemap } of attempts) {
      tries.push(tried);
      if (sitemap) return found<SitemapSearch>({ ...facts, tries, found: sitemap });
    }
  }
  return found<SitemapSearch>({ ...facts, tries, found: null });
};

/** True if robots.txt was not read, or only in part. */
function isUnread(robots: Evidence<RobotsOutcome>): boolean {
  if ('failed' in robots) return true;
  return robots.ok.kind === 'present' ? robots.ok.value.file.isOverLimit : robots.ok.kind !== 'absent';
}

/** Returns the first distinct `Sitemap:` lines. */
function declaredCandidates(robots: Evidence<RobotsOutcome>): Candidate[] {
  const file = valueOf(robots);
  if (file?.kind !== 'present') return [];
  // A hostile file may repeat the same line a hundred thousand times, so each value is parsed once.
  const values = distinctBy(file.value.robots.sitemaps, ({ value }) => value);
  const candidates = values.map(({ value, line }) => {
    const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
    return { location: { robotsLine: line }, url, key: url === null ? value : withoutFragment(url) };
  });
  return distinctBy(candidates, ({ key }) => key).slice(0, DECLARED_MAX);
}

function defaultCandidates(origin: URL, declared: readonly Candidate[]): Candidate[] {
  const declaredUrls = new Set(declared.flatMap(({ url }) => (url === null ? [] : [withoutFragment(url)])));
  const all = DEFAULT_SITEMAP_PATHS.map((path) => ({ location: { path }, url: new URL(path, origin) }));
  return all.filter(({ url }) => !declaredUrls.has(url.href));
}

async function tryCandidate(
  context: CollectContext,
  { location, url }: Candidate,
): Promise<{ readonly tried: SitemapTry; readonly sitemap?: FoundSitemap }> {
  if (url === null) return { tried: { location, outcome: { kind: 'invalid' } } };
  const read = await readSitemap(context, url);
  if (read.kind !== 'present') return { tried: { location, outcome: read } };
  const { reading, url: finalUrl } = read.value;
  const tried: SitemapTry = { location, outcome: { kind: 'present', value: reading } };
  return 'file' in reading
    ? { tried, sitemap: { location, requestedUrl: url, url: finalUrl, file: reading.file } }
    : { tried };
}

/** After this many bytes, a timeout is due to our time limit, not to a stalled server. */
const SLOW_BYTES_MIN = 1_048_576;

/** Problems with our own limits, which prove nothing about the file. */
const INCONCLUSIVE_PROBLEMS: ReadonlySet<SitemapProblem> = new Set(['entities', 'over_budget']);

export interface ReadSitemap {
  readonly reading: SitemapReading;
  readonly url: URL;
}

/** Fetches one sitemap and parses it as a stream, without storing the file. */
export async function readSitemap(
  context: CollectContext,
  url: URL,
  priority: Priority = 'core',
): Promise<Outcome<ReadSitemap>> {
  const { stream, options } = streamSitemap(context, priority);
  const read = await context.read(url, 'xml', options);
  if (read.kind === 'timeout' && stream.byteCount >= SLOW_BYTES_MIN) {
    return {
      kind: 'unknown',
      detail: safeText`it is too large or too slow to be read within the time limit for one file`,
    };
  }
  if (read.kind !== 'present') return read;
  if (read.value.endsEarly !== undefined) return confirmEarlyEnd(context, url, read.value, options);
  const reading = stream.finish(read.value);
  if ('problem' in reading && INCONCLUSIVE_PROBLEMS.has(reading.problem)) {
    return { kind: 'unknown', detail: safeText`it ${term(SITEMAP_PROBLEMS[reading.problem])}` };
  }
  return { kind: 'present', value: { reading, url: read.value.url } };
}

/** Fetches the file again, since the server may have been writing it. Only the same early end twice is a fault. */
async function confirmEarlyEnd(
  context: CollectContext,
  requestedUrl: URL,
  { endsEarly, url }: SiteResponse,
  options: ReadOptions,
): Promise<Outcome<ReadSitemap>> {
  const again = await context.read(requestedUrl, 'xml', { ...options, isRepeat: true });
  const isSame = again.kind === 'present' && again.value.endsEarly === endsEarly;
  if (isSame) return { kind: 'present', value: { reading: { problem: 'ends_early', line: null }, url } };
  return {
    kind: 'unknown',
    detail: safeText`its compressed data ends early, but a second request returned different data`,
  };
}

/** Returns fetch options that parse a sitemap while it arrives. Each retry starts over. */
function streamSitemap({ now }: CollectContext, priority: Priority) {
  let reader = new SitemapReader(now);
  let reading: SitemapReading | undefined;
  const stream = {
    byteCount: 0,
    finish: ({ headers }: SiteResponse): SitemapReading =>
      (reading ??= reader.finish(parseMediaType(headers.get('content-type')).charset)),
  };
  const options: ReadOptions = {
    sink: (chunk, offset) => {
      if (offset === 0) reader = new SitemapReader(now);
      stream.byteCount = offset + chunk.length;
      return reader.write(chunk);
    },
    validates: (response) => 'file' in stream.finish(response),
    priority,
  };
  return { stream, options };
}
