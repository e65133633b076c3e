import type { Evidence } from '../artifacts/evidence.js';
import { found, lacking } from '../artifacts/evidence.js';
import type { Outcome } from '../artifacts/resource.js';
import type { SitemapProblem, SitemapReading } from '../artifacts/sitemaps.js';
import { SITEMAP_PROBLEMS } from '../artifacts/sitemaps.js';
import { term, safeText } from '../artifacts/safe-text.js';
import { parseMediaType } from '../parsers/media-type.js';
import { SitemapReader } from '../parsers/sitemap/sitemap.js';
import type { CollectContext, ReadOptions } from '../probe/collector.js';
import type { Priority, SiteResponse } from '../client/visit.js';

/** If this much arrived in time, our own limit ended the transfer, not a stalling server. */
const SLOW_BYTES_MIN = 1_048_576;

/** Problems that prove nothing about the file. */
const OUR_LIMITS: ReadonlySet<SitemapProblem> = new Set(['entities', 'over_budget']);

export interface ReadSitemap {
  readonly reading: SitemapReading;
  /** After redirects. */
  readonly url: URL;
}

/** Fetches one sitemap and parses it as a stream; the file itself is not kept. */
export async function readSitemap(
  context: CollectContext,
  url: URL,
  priority: Priority = 'core',
): Promise<Evidence<Outcome<ReadSitemap>>> {
  const passing = new PassingReader(context.now);
  const read = await context.read(url, 'xml', passing.options(priority));
  if ('failed' in read) return read;
  if (read.ok.kind === 'timeout' && passing.byteCount >= SLOW_BYTES_MIN) {
    return lacking(
      'UNDETERMINED',
      safeText`it is so large or slow that it is not complete when the time for one file is up`,
    );
  }
  if (read.ok.kind !== 'present') return found(read.ok);
  if (read.ok.value.endsEarly !== undefined) return confirmEarlyEnd(context, url, read.ok.value, priority);
  const reading = passing.finish(read.ok.value);
  if ('problem' in reading && reading.problem === 'html') return rereadPage(context, url, priority);
  if ('problem' in reading && OUR_LIMITS.has(reading.problem)) {
    return lacking('UNDETERMINED', safeText`it ${term(SITEMAP_PROBLEMS[reading.problem])}`);
  }
  return found(present({ reading, url: read.ok.value.url }));
}

/** A server may have been writing the file just then: only the same bytes once more are its fault. */
async function confirmEarlyEnd(
  context: CollectContext,
  asked: URL,
  { endsEarly, url }: SiteResponse,
  priority: Priority,
): Promise<Evidence<Outcome<ReadSitemap>>> {
  const passing = new PassingReader(context.now);
  const again = await context.read(asked, 'xml', { ...passing.options(priority), isRepeat: true });
  const isSame = 'ok' in again && again.ok.kind === 'present' && again.ok.value.endsEarly === endsEarly;
  return isSame
    ? found(present({ reading: { problem: 'ends_early', line: null }, url }))
    : lacking('UNDETERMINED', safeText`its compressed data ends early, but a second try does not bring the same`);
}

/** Comparing a page with the control needs its body, which the stream did not keep: it is fetched again. */
async function rereadPage(
  context: CollectContext,
  url: URL,
  priority: Priority,
): Promise<Evidence<Outcome<ReadSitemap>>> {
  const read = await context.read(url, 'xml', { priority });
  if ('failed' in read) return read;
  if (read.ok.kind !== 'present') return found(read.ok);
  return found(present({ reading: { problem: 'html', line: null }, url: read.ok.value.url }));
}

function present(value: ReadSitemap): Outcome<ReadSitemap> {
  return { kind: 'present', value };
}

/** A fresh reader for each try's body: data of an earlier, broken try does not count. */
class PassingReader {
  #reader: SitemapReader;
  #reading: SitemapReading | null = null;
  byteCount = 0;

  constructor(private readonly now: Date) {
    this.#reader = new SitemapReader(now);
  }

  options(priority: Priority): ReadOptions {
    return {
      sink: (chunk, offset) => this.take(chunk, offset),
      gunzipByMagic: true,
      validates: (response) => 'file' in this.finish(response),
      priority,
    };
  }

  take(chunk: Uint8Array, offset: number): boolean {
    if (offset === 0) this.#reader = new SitemapReader(this.now);
    this.byteCount = offset + chunk.length;
    return this.#reader.write(chunk);
  }

  finish(response: SiteResponse): SitemapReading {
    this.#reading ??= this.#reader.finish(parseMediaType(response.headers.get('content-type')).charset);
    return this.#reading;
  }
}
