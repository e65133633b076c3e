import { pipeline, Readable } from 'node:stream';
import type { ParameterizedContext } from 'koa';
import type { Lifecycle } from '../lifecycle.js';
import type { RequestState } from './request-state.js';
import { chooseCoding, codedBy, type Coding, createCoder } from './coding.js';
import { isCurrent } from './conditional.js';

type Context = ParameterizedContext<RequestState>;

/**
 * Answers with these bytes once the app is done. With an `ETag` among the headers a client that has them already is spared them, and `Vary`,
 * length and codings see to themselves.
 */
export function answer(ctx: Context, status: number, type: string, body: Uint8Array): void {
  ctx.status = status;
  ctx.state.headers['Content-Type'] = type;
  ctx.state.body = body;
}

/** Less gains nothing: it fits into one packet. */
const CODED_BYTES_MIN = 1000;
/** What is compressed: no event stream, whose events would wait for more, and nothing that is compressed already. */
const CODABLE =
  /^(?:text\/(?!event-stream)|image\/svg\+xml|application\/(?:json|javascript|x-ndjson|xml|[\w.-]+\+(?:json|xml))\b)/;
/** Answers without a body. */
const EMPTY = new Set([204, 205, 304]);
const NOTHING = Buffer.alloc(0);

/**
 * The one way for an answer to leave: what is not modified is not sent, what is long is compressed as the client asks, and the head is written
 * at once, which takes a third of what Koa's own way takes. A page that shows a secret is sent as it is: its length must not reveal it (BREACH).
 */
export async function leave(ctx: Context, lifecycle: Lifecycle): Promise<void> {
  const { req, res, state } = ctx;
  const { headers } = state;
  const headerOf = (name: string): string => headers[name] ?? String(res.getHeader(name) ?? '');
  const whole = bytesOf(ctx);
  const isCodable = CODABLE.test(headerOf('Content-Type')) && headerOf('Content-Encoding') === '' && !state.hasSecret;
  const canCode = isCodable && (whole?.byteLength ?? Infinity) > CODED_BYTES_MIN;
  const coding = canCode ? chooseCoding(ctx) : null;
  if (canCode) headers.Vary = [headerOf('Vary'), 'Accept-Encoding'].filter(Boolean).join(', ');
  if (whole === null) {
    leaveToKoa(ctx, coding, lifecycle);
    return;
  }
  let body = whole;
  const etag = tagOf(headerOf('ETag'), coding);
  if (etag !== '') headers.ETag = etag;
  if (etag !== '' && isUnmodified(ctx, etag)) {
    ctx.status = 304;
    body = NOTHING;
  } else if (coding) {
    body = await codedBy(coding, whole);
    headers['Content-Encoding'] = coding;
  }
  if (EMPTY.has(ctx.status)) {
    delete headers['Content-Type'];
    for (const name of ['Content-Type', 'Content-Length']) res.removeHeader(name);
  } else headers['Content-Length'] = String(body.byteLength);
  if (lifecycle.isStopping) headers.Connection = 'close';
  if (!ctx.writable) return;
  ctx.respond = false;
  res.writeHead(ctx.status, headers);
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** Null for a stream, and for nothing. */
function bytesOf(ctx: Context): Uint8Array | null {
  const content: unknown = ctx.state.body ?? ctx.body;
  if (content instanceof Uint8Array) return content;
  if (typeof content === 'string') return Buffer.from(content);
  if (EMPTY.has(ctx.status)) return NOTHING;
  return content instanceof Readable || content === null || content === undefined
    ? null
    : Buffer.from(JSON.stringify(content));
}

/** What comes piece by piece. */
function leaveToKoa(ctx: Context, coding: Coding | null, { isStopping }: Lifecycle): void {
  const { headers } = ctx.state;
  const content: unknown = ctx.body;
  if (coding && content instanceof Readable) {
    headers['Content-Encoding'] = coding;
    // Its failure is seen at the coder, which Koa listens to.
    if (ctx.method !== 'HEAD') ctx.body = pipeline(content, createCoder(coding), () => undefined);
  }
  if (isStopping) headers.Connection = 'close';
  ctx.set(headers);
}

/** Each coding has its own (RFC 9110 §8.8.3). */
function tagOf(etag: string, coding: Coding | null): string {
  return coding && etag !== '' ? `${etag.slice(0, -1)}-${coding}"` : etag;
}

function isUnmodified({ req, status }: Context, etag: string): boolean {
  return (
    status === 200 && (req.method === 'GET' || req.method === 'HEAD') && isCurrent(req.headers['if-none-match'], etag)
  );
}
