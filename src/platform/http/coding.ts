import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { ParameterizedContext } from 'koa';

/** In the order of preference: brotli is smaller. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** The coding by Accept-Encoding. Browsers name gzip first, which expresses no preference. */
const CHOSEN = new Map<string, Coding | null>();
/** Clients send few different values, and parsing one takes a considerable part of a read. */
const CHOSEN_MAX = 200;

/** Chooses a coding that the client accepts (RFC 9110 §12.5.3); null for none. */
export function chooseCoding(ctx: ParameterizedContext): Coding | null {
  const asked = ctx.req.headers['accept-encoding'];
  if (asked === undefined) return null;
  let chosen = CHOSEN.get(asked);
  if (chosen === undefined) {
    chosen = CODINGS.find((coding) => ctx.acceptsEncodings(coding)) ?? null;
    if (CHOSEN.size >= CHOSEN_MAX) CHOSEN.clear();
    CHOSEN.set(asked, chosen);
  }
  return chosen;
}

/** `quick` takes a third of a millisecond for a run; `best` takes a hundred times as long, in another thread. */
type Effort = 'quick' | 'best';
const BROTLI_QUALITY = { quick: 4, best: 11 };
const GZIP_LEVEL = { quick: 3, best: 9 };

interface Cached {
  readonly effort: Effort;
  readonly onCoded: (bytes: number) => void;
  readonly coded: Map<Coding, Promise<Uint8Array>>;
}

const CACHE = new WeakMap<Uint8Array, Cached>();

/**
 * Caches the codings of a body from now on, for as long as the body exists.
 * @param onCoded called with the number of bytes that a new coding adds
 */
export function cacheCodings(body: Uint8Array, effort: Effort, onCoded: Cached['onCoded'] = () => undefined): void {
  CACHE.set(body, { effort, onCoded, coded: new Map() });
}

/** Compresses the body, or returns the cached result. */
export function compress(coding: Coding, body: Uint8Array): Uint8Array | Promise<Uint8Array> {
  const cached = CACHE.get(body);
  if (!cached) return compressQuickly(coding, body);
  let coded = cached.coded.get(coding);
  if (!coded) {
    const { effort, onCoded } = cached;
    coded = effort === 'best' ? compressBest(coding, body) : Promise.resolve(compressQuickly(coding, body));
    cached.coded.set(coding, coded);
    coded.then(
      ({ byteLength }) => onCoded(byteLength),
      () => cached.coded.delete(coding),
    );
  }
  return coded;
}

/** Compresses a stream as it is read. */
export function createCompressor(coding: Coding): zlib.BrotliCompress | zlib.Gzip {
  return coding === 'br'
    ? zlib.createBrotliCompress(brotliOptions('quick'))
    : zlib.createGzip({ level: GZIP_LEVEL.quick });
}

function compressQuickly(coding: Coding, body: Uint8Array): Uint8Array {
  return coding === 'br'
    ? zlib.brotliCompressSync(body, brotliOptions('quick', body))
    : zlib.gzipSync(body, { level: GZIP_LEVEL.quick });
}

const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)];

function compressBest(coding: Coding, body: Uint8Array): Promise<Uint8Array> {
  return coding === 'br' ? brotli(body, brotliOptions('best', body)) : gzip(body, { level: GZIP_LEVEL.best });
}

function brotliOptions(effort: Effort, body?: Uint8Array): zlib.BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  return {
    params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort], [BROTLI_PARAM_SIZE_HINT]: body?.byteLength ?? 0 },
  };
}
