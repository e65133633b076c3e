import { found, isMoved } from '../artifacts/evidence.js';
import type { Evidence } from '../artifacts/evidence.js';
import type { Home } from '../artifacts/pages.js';
import type { RobotsOutcome } from '../artifacts/robots.js';
import type { FoundSitemap, SitemapPlace, SitemapSearch, SitemapTry } from '../artifacts/sitemaps.js';
import { DEFAULT_SITEMAP_PATHS } from '../artifacts/sitemaps.js';
import { withoutFragment } from '../artifacts/site-address.js';
import type { CollectContext, Collector } from '../probe/collector.js';
import { findSampleCandidates } from '../probe/sample-candidates.js';
import { readSitemap } from './sitemap-read.js';

/** `Sitemap:` lines that are tried. */
const DECLARED_MAX = 5;

/** A location to try. `url` is null if the `Sitemap:` line has no absolute URL. */
interface Candidate {
  readonly place: SitemapPlace;
  readonly url: URL | null;
}

interface Attempt {
  readonly tried: SitemapTry;
  readonly found: FoundSitemap | null;
}

/**
 * Finds the first sitemap that works. The first `Sitemap:` line of robots.txt is requested alone, since it nearly always works; then the
 * other lines in parallel, then the default locations in parallel.
 */
export const collectSitemap: Collector<'sitemap'> = async (context) => {
  const [robots, home] = await Promise.all([context.evidence('robots'), context.evidence('home')]);
  if ('failed' in home) return home;
  const declared = declaredCandidates(robots);
  const rounds = [declared.slice(0, 1), declared.slice(1), defaultCandidates(await context.fileOrigin(), declared)];
  const tries: SitemapTry[] = [];
  for (const candidates of rounds) {
    const attempts = await Promise.all(candidates.map((candidate) => attempt(context, candidate)));
    const first = attempts.findIndex((one) => one.found !== null);
    tries.push(...attempts.slice(0, first < 0 ? undefined : first + 1).map(({ tried }) => tried));
    if (first >= 0) return found({ ...searchFacts(home.ok, robots), tries, found: attempts[first]?.found ?? null });
  }
  return found({ ...searchFacts(home.ok, robots), tries, found: null });
};

function searchFacts(
  home: Home,
  robots: Evidence<RobotsOutcome>,
): Pick<SitemapSearch, 'isOnePageSite' | 'isRobotsUnread' | 'isRobotsMoved'> {
  const isOnePageSite =
    home.page === null || (!home.page.hasScript && findSampleCandidates(home.page, home.url).length === 0);
  const isRobotsMoved = isMoved(robots);
  return { isOnePageSite, isRobotsMoved, isRobotsUnread: !isRobotsMoved && isUnread(robots) };
}

/** True if robots.txt was not read, or only in part. */
function isUnread(robots: Evidence<RobotsOutcome>): boolean {
  if ('failed' in robots) return true;
  return robots.ok.kind === 'present' ? robots.ok.value.file.isOverLimit : robots.ok.kind !== 'absent';
}

/** Returns the first distinct `Sitemap:` lines. */
function declaredCandidates(robots: Evidence<RobotsOutcome>): Candidate[] {
  if ('failed' in robots || robots.ok.kind !== 'present') return [];
  const candidates = new Map<string, Candidate>();
  const seen = new Set<string>();
  for (const { value, line } of robots.ok.value.robots.sitemaps) {
    if (candidates.size >= DECLARED_MAX) break;
    // A hostile file may repeat the same line a hundred thousand times.
    if (seen.has(value)) continue;
    seen.add(value);
    const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
    const key = url === null ? value : withoutFragment(url);
    if (!candidates.has(key)) candidates.set(key, { place: { robotsLine: line }, url });
  }
  return [...candidates.values()];
}

function defaultCandidates(origin: URL, declared: readonly Candidate[]): Candidate[] {
  const asked = new Set(declared.flatMap(({ url }) => (url === null ? [] : [withoutFragment(url)])));
  return DEFAULT_SITEMAP_PATHS.map((path) => ({ place: { path }, url: new URL(path, origin) })).filter(
    ({ url }) => !asked.has(url.href),
  );
}

async function attempt(context: CollectContext, { place, url }: Candidate): Promise<Attempt> {
  if (url === null) return { tried: { place, outcome: { kind: 'invalid' } }, found: null };
  const read = await readSitemap(context, url);
  if (isMoved(read)) return { tried: { place, outcome: { kind: 'moved' } }, found: null };
  if ('failed' in read) {
    return { tried: { place, outcome: { kind: 'unknown', detail: read.failed.detail } }, found: null };
  }
  if (read.ok.kind !== 'present') return { tried: { place, outcome: read.ok }, found: null };
  const { reading, url: finalUrl } = read.ok.value;
  return {
    tried: { place, outcome: { kind: 'present', value: reading } },
    found: 'file' in reading ? { place, askedUrl: url, url: finalUrl, file: reading.file } : null,
  };
}
