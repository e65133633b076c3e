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

/** If this many bytes arrived, our time limit ended the transfer, not a stalled server. */
const SLOW_BYTES_MIN = 1_048_576;

/** Problems that prove nothing about the file. */
const OUR_LIMITS: ReadonlySet<SitemapProblem> = new Set(['entities', 'over_budget']);

export interface ReadSitemap {
  readonly reading: SitemapReading;
  /** Final URL. */
  readonly url: URL;
}

/** Fetches one sitemap and parses it as a stream, without storing the file. */
export async function readSitemap(
  context: CollectContext,
  url: URL,
  priority: Priority = 'core',
): Promise<Evidence<Outcome<ReadSitemap>>> {
  const stream = new StreamReader(context.now);
  const read = await context.read(url, 'xml', stream.options(priority));
  if ('failed' in read) return read;
  if (read.ok.kind === 'timeout' && stream.byteCount >= SLOW_BYTES_MIN) {
    return lacking('UNDETERMINED', safeText`it is too large or too slow to be read in the time for one file`);
  }
  if (read.ok.kind !== 'present') return found(read.ok);
  if (read.ok.value.endsEarly !== undefined) return confirmEarlyEnd(context, url, read.ok.value, priority);
  const reading = stream.finish(read.ok.value);
  if ('problem' in reading && reading.problem === 'html') return rereadPage(context, url, priority);
  if ('problem' in reading && OUR_LIMITS.has(reading.problem)) {
    return lacking('UNDETERMINED', safeText`it ${term(SITEMAP_PROBLEMS[reading.problem])}`);
  }
  return found(present({ reading, url: read.ok.value.url }));
}

/** Fetches the file again, since the server may have been writing it: only the same bytes twice are a fault. */
async function confirmEarlyEnd(
  context: CollectContext,
  asked: URL,
  { endsEarly, url }: SiteResponse,
  priority: Priority,
): Promise<Evidence<Outcome<ReadSitemap>>> {
  const stream = new StreamReader(context.now);
  const again = await context.read(asked, 'xml', { ...stream.options(priority), isRepeat: true });
  const isSame = 'ok' in again && again.ok.kind === 'present' && again.ok.value.endsEarly === endsEarly;
  return isSame
    ? found(present({ reading: { problem: 'ends_early', line: null }, url }))
    : lacking('UNDETERMINED', safeText`its compressed data ends early, but a second try gives other data`);
}

/** Fetches an HTML page again, since the comparison with the control needs its body, which the stream did not store. */
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

/** Parses a sitemap while it arrives. Starts over with each try, since data of an earlier, broken try does not count. */
class StreamReader {
  #reader: SitemapReader;
  #reading: SitemapReading | null = null;
  byteCount = 0;

  constructor(private readonly now: Date) {
    this.#reader = new SitemapReader(now);
  }

  options(priority: Priority): ReadOptions {
    return {
      sink: (chunk, offset) => this.write(chunk, offset),
      gunzipByMagic: true,
      validates: (response) => 'file' in this.finish(response),
      priority,
    };
  }

  write(chunk: Uint8Array, offset: number): boolean {
    if (offset === 0) this.#reader = new SitemapReader(this.now);
    this.byteCount = offset + chunk.length;
    return this.#reader.write(chunk);
  }

  finish(response: SiteResponse): SitemapReading {
    this.#reading ??= this.#reader.finish(parseMediaType(response.headers.get('content-type')).charset);
    return this.#reading;
  }
}
