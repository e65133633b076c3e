import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { ParameterizedContext } from 'koa';
import { BoundedMap, getOrCreate } from '../../net/keyed.js';
import { type Refusal, ServiceError } from '../errors.js';
import type { RequestState } from './request.js';

type Context = ParameterizedContext<RequestState>;

/**
 * Sets the answer, which `send` writes when the app is done. If the headers contain an `ETag`, a client that already has the body gets
 * a 304. `send` adds `Vary`, the length and the coding.
 */
export function answer(ctx: Context, status: number, type: string, body: Uint8Array): void {
  ctx.status = status;
  ctx.state.headers['Content-Type'] = type;
  ctx.state.body = body;
}

export function sendJson(ctx: Context, status: number, body: Uint8Array): void {
  answer(ctx, status, 'application/json', body);
}

/** The body of every error (contract, "Errors"). */
export function errorBody({ code, message }: { readonly code: string; readonly message: string }): Buffer {
  return Buffer.from(JSON.stringify({ error: { code, message } }));
}

export function sendError(ctx: Context, refusal: Refusal): void {
  sendJson(ctx, refusal.status, errorBody(refusal));
}

export function redirectPermanently(ctx: ParameterizedContext, location: string): void {
  redirect(ctx, 308, location);
}

/** Redirects after a form (303, RFC 9110 §15.4.4), so that a reload does not send it again. */
export function seeOther(ctx: ParameterizedContext, location: string): void {
  redirect(ctx, 303, location);
}

function redirect(ctx: ParameterizedContext, status: number, location: string): void {
  ctx.status = status;
  ctx.set('Location', location);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = '';
}

/** Sets the Allow header. Adds HEAD to GET, and OPTIONS to everything. */
export function setAllow(ctx: ParameterizedContext, methods: readonly string[]): void {
  const withHead = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  ctx.set('Allow', [...withHead, 'OPTIONS'].join(', '));
}

/**
 * Accepts reads of a path whose answer must not be cached.
 * @returns false if the request, OPTIONS, is already answered
 * @throws ServiceError method_not_allowed
 */
export function acceptRead(ctx: ParameterizedContext): boolean {
  ctx.set('Cache-Control', 'no-store');
  setAllow(ctx, ['GET']);
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return true;
  if (ctx.method !== 'OPTIONS') throw new ServiceError('method_not_allowed');
  ctx.status = 204;
  return false;
}

/** Shorter bodies fit into one packet, so compressing them gains nothing. */
const CODED_BYTES_MIN = 1000;
/** Types to compress. An event stream would wait for more events, and other types are compressed already. */
const CODABLE =
  /^(?:text\/(?!event-stream)|image\/svg\+xml|application\/(?:json|javascript|x-ndjson|xml|[\w.-]+\+(?:json|xml))\b)/;
const EMPTY_STATUSES = new Set([204, 205, 304]);
const EMPTY_BODY = Buffer.alloc(0);

/**
 * Sends the answer: as 304 if the client has it, compressed if that is worthwhile. Writes the head in one call, in a third of the time that
 * Koa needs. A page that shows a secret is not compressed, because its length would reveal the secret (BREACH).
 */
export async function send(ctx: Context, isStopping: boolean): Promise<void> {
  const { req, res, state } = ctx;
  const { headers } = state;
  const headerOf = (name: string): string => headers[name] ?? String(res.getHeader(name) ?? '');
  const whole = wholeBody(ctx);
  const isCodable = CODABLE.test(headerOf('Content-Type')) && headerOf('Content-Encoding') === '' && !state.hasSecret;
  const canCode = isCodable && (whole?.byteLength ?? Infinity) > CODED_BYTES_MIN;
  const coding = canCode ? chooseCoding(ctx) : null;
  if (canCode) headers.Vary = [headerOf('Vary'), 'Accept-Encoding'].filter(Boolean).join(', ');
  if (whole === null) {
    sendStream(ctx, coding, isStopping);
    return;
  }
  let body = whole;
  const etag = codedTag(headerOf('ETag'), coding);
  if (etag !== '') headers.ETag = etag;
  if (etag !== '' && isUnmodified(ctx, etag)) {
    ctx.status = 304;
    body = EMPTY_BODY;
  } else if (coding) {
    body = await compress(coding, whole);
    headers['Content-Encoding'] = coding;
  }
  if (EMPTY_STATUSES.has(ctx.status)) {
    delete headers['Content-Type'];
    for (const name of ['Content-Type', 'Content-Length']) res.removeHeader(name);
  } else headers['Content-Length'] = String(body.byteLength);
  if (isStopping) headers.Connection = 'close';
  if (!ctx.writable) return;
  ctx.respond = false;
  res.writeHead(ctx.status, headers);
  res.end(req.method === 'HEAD' ? undefined : body);
}

function wholeBody(ctx: Context): Uint8Array | null {
  const content: unknown = ctx.state.body ?? ctx.body;
  if (content instanceof Uint8Array) return content;
  if (typeof content === 'string') return Buffer.from(content);
  if (EMPTY_STATUSES.has(ctx.status)) return EMPTY_BODY;
  return content instanceof Readable || content === null || content === undefined
    ? null
    : Buffer.from(JSON.stringify(content));
}

function sendStream(ctx: Context, coding: Coding | null, isStopping: boolean): void {
  const { headers } = ctx.state;
  const content: unknown = ctx.body;
  if (coding && content instanceof Readable) {
    headers['Content-Encoding'] = coding;
    // Koa listens to the compressor, which reports failures of the stream.
    if (ctx.method !== 'HEAD') ctx.body = pipeline(content, COMPRESSORS[coding].stream(), () => undefined);
  }
  if (isStopping) headers.Connection = 'close';
  ctx.set(headers);
}

/** Returns a strong entity tag for this content, with its quotes (RFC 9110 §8.8.3). */
export function entityTagOf(content: Uint8Array | string): string {
  return `"${createHash('sha256').update(content).digest('base64url')}"`;
}

/** Returns the entity tag of a coded body, since each coding needs its own (RFC 9110 §8.8.3). */
function codedTag(etag: string, coding: Coding | null): string {
  return coding && etag !== '' ? `${etag.slice(0, -1)}-${coding}"` : etag;
}

function isUnmodified({ req, status }: Context, etag: string): boolean {
  const isGet = req.method === 'GET' || req.method === 'HEAD';
  return status === 200 && isGet && isCurrent(req.headers['if-none-match'], etag);
}

const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/** True if `If-None-Match` names the current entity tag: `*` or a list, compared weakly (RFC 9110 §13.1.2). */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return Array.from(ifNoneMatch.matchAll(ENTITY_TAG), ([, tag]) => tag).includes(etag);
}

/** In order of our preference: brotli is smaller. Browsers name gzip first without preferring it. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

/** Chosen codings by Accept-Encoding. Clients send few different values, and parsing one takes a considerable part of a read. */
const CHOSEN = new BoundedMap<string, Coding | null>(200);

/** Chooses a coding that the client accepts (RFC 9110 §12.5.3); null for none. */
function chooseCoding(ctx: ParameterizedContext): Coding | null {
  const accepted = ctx.req.headers['accept-encoding'];
  if (accepted === undefined) return null;
  return getOrCreate(CHOSEN, accepted, () => CODINGS.find((coding) => ctx.acceptsEncodings(coding)) ?? null);
}

/** For the body of a run, `quick` takes a third of a millisecond; `best` takes a hundred times as long, in another thread. */
type Effort = 'quick' | 'best';

const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)];

function brotliOptions(quality: number, bytes = 0): zlib.BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  return { params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: bytes } };
}

const COMPRESSORS = {
  br: {
    quick: (body: Uint8Array) => zlib.brotliCompressSync(body, brotliOptions(4, body.byteLength)),
    best: (body: Uint8Array) => brotli(body, brotliOptions(11, body.byteLength)),
    stream: () => zlib.createBrotliCompress(brotliOptions(4)),
  },
  gzip: {
    quick: (body: Uint8Array) => zlib.gzipSync(body, { level: 3 }),
    best: (body: Uint8Array) => gzip(body, { level: 9 }),
    stream: () => zlib.createGzip({ level: 3 }),
  },
};

interface Cached {
  readonly effort: Effort;
  readonly coded: Map<Coding, Promise<Uint8Array>>;
}

const CACHE = new WeakMap<Uint8Array, Cached>();

/** Caches the codings of a body for as long as it exists. */
export function cacheCodings(body: Uint8Array, effort: Effort): void {
  CACHE.set(body, { effort, coded: new Map() });
}

export function compress(coding: Coding, body: Uint8Array): Uint8Array | Promise<Uint8Array> {
  const cached = CACHE.get(body);
  if (!cached) return COMPRESSORS[coding].quick(body);
  const earlier = cached.coded.get(coding);
  if (earlier) return earlier;
  const coded = Promise.resolve(COMPRESSORS[coding][cached.effort](body));
  cached.coded.set(coding, coded);
  coded.catch(() => cached.coded.delete(coding));
  return coded;
}
