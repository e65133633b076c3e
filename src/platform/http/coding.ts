import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { ParameterizedContext } from 'koa';

/** The smaller first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** By how each is asked for. Browsers name gzip first, and mean nothing by it. */
const CHOSEN = new Map<string, Coding | null>();
/** Clients send few, and reading one takes a good part of a read. */
const CHOSEN_MAX = 200;

/** What the client takes an answer in (RFC 9110 §12.5.3); null: as it is. */
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

/** `quick` takes a third of a millisecond for a run; `best` a hundred times as long, off the event loop. */
type Effort = 'quick' | 'best';
const BROTLI_QUALITY = { quick: 4, best: 11 };
const GZIP_LEVEL = { quick: 3, best: 9 };

interface Kept {
  readonly effort: Effort;
  readonly onCoded: (bytes: number) => void;
  readonly coded: Map<Coding, Promise<Uint8Array>>;
}

const KEPT = new WeakMap<Uint8Array, Kept>();

/**
 * From now on makes each coding of a body once, when it is first asked for, and keeps it for as long as the body.
 * @param onCoded hears how many bytes are kept more
 */
export function keepCodings(body: Uint8Array, effort: Effort, onCoded: Kept['onCoded'] = () => undefined): void {
  KEPT.set(body, { effort, onCoded, coded: new Map() });
}

/** The body in this coding. */
export function codedBy(coding: Coding, body: Uint8Array): Uint8Array | Promise<Uint8Array> {
  const kept = KEPT.get(body);
  if (!kept) return codeQuickly(coding, body);
  let coded = kept.coded.get(coding);
  if (!coded) {
    const { effort, onCoded } = kept;
    coded = effort === 'best' ? codeBest(coding, body) : Promise.resolve(codeQuickly(coding, body));
    kept.coded.set(coding, coded);
    coded.then(
      ({ byteLength }) => onCoded(byteLength),
      () => kept.coded.delete(coding),
    );
  }
  return coded;
}

/** Codes a stream as it is read. */
export function createCoder(coding: Coding): zlib.BrotliCompress | zlib.Gzip {
  return coding === 'br'
    ? zlib.createBrotliCompress(brotliOptions('quick'))
    : zlib.createGzip({ level: GZIP_LEVEL.quick });
}

function codeQuickly(coding: Coding, body: Uint8Array): Uint8Array {
  return coding === 'br'
    ? zlib.brotliCompressSync(body, brotliOptions('quick', body))
    : zlib.gzipSync(body, { level: GZIP_LEVEL.quick });
}

const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)];

function codeBest(coding: Coding, body: Uint8Array): Promise<Uint8Array> {
  return coding === 'br' ? brotli(body, brotliOptions('best', body)) : gzip(body, { level: GZIP_LEVEL.best });
}

function brotliOptions(effort: Effort, body?: Uint8Array): zlib.BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  return {
    params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort], [BROTLI_PARAM_SIZE_HINT]: body?.byteLength ?? 0 },
  };
}
