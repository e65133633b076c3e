import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../errors.js';

export interface RequestState {
  requestId: string;
  /** The template of the matched path, for the log, since a raw path may contain anything. */
  route: string | null;
  /** Set for requests that machines repeat every few seconds, which are logged at debug. */
  isProbe?: true;
  /** Sent with the answer. They replace headers that were set on Koa's context. */
  readonly headers: Record<string, string>;
  /** See `answer`. */
  body?: Uint8Array;
  /** Set for a page that shows a secret, so that it is not compressed. */
  hasSecret?: boolean;
}

/** Returns the path of a request target, still percent-encoded, without its query. Empty for targets without a path, such as `*`. */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target.split(/[?#]/, 1)[0] ?? '';
  return URL.parse(target)?.pathname ?? '';
}

const HOST = /^host$/i;

/**
 * True if HTTP allows us to answer this request. Node accepts some requests that it should not, or refuses them without an
 * explanation: no Host or several (RFC 9112 §3.2), an unsupported version (§2.3), or a body whose end another server on the path could
 * see elsewhere (§6.1): any transfer coding except `chunked`, and any in HTTP/1.0.
 */
export function isWellFormed({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hostCount = rawHeaders.filter((text, index) => index % 2 === 0 && HOST.test(text)).length;
  const coding = headers['transfer-encoding']?.trim().toLowerCase();
  if (httpVersion === '1.0') return hostCount <= 1 && coding === undefined;
  return httpVersion === '1.1' && hostCount === 1 && (coding === undefined || coding === 'chunked');
}

/**
 * Returns the token in `Authorization` (RFC 6750 §2.1); null if there is none. The scheme's name is case-insensitive (RFC 9110 §11.1).
 * Only HTTP white space (§5.6.3) is stripped: `trim` would also strip other characters from a token.
 */
export function readBearer(authorization: string | undefined): string | null {
  const [scheme = '', ...rest] = (authorization ?? '').split(/[ \t]+/).filter((word) => word !== '');
  return scheme.toLowerCase() === 'bearer' && rest.length > 0 ? rest.join(' ') : null;
}

/** Returns the `WWW-Authenticate` challenge (RFC 6750 §3), with an error code only if a token was sent. */
export function challengeOf(realm: string, isTokenSent: boolean): string {
  return `Bearer realm="${realm}"${isTokenSent ? ', error="invalid_token"' : ''}`;
}

const BROKEN = Symbol('broken');
const brokenRequests = new WeakSet<IncomingMessage>();

/** Fails current and future readers of this body, because its rest cannot be read. Node reports that only to the server. */
export function breakBody(request: IncomingMessage): void {
  brokenRequests.add(request);
  request.emit(BROKEN);
}

/** Rejects once the rest of the body cannot be read: it is malformed, too slow or cut off. Never resolves. */
export function rejectWhenBroken(request: IncomingMessage): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(new ServiceError('bad_request'));
    // A request is also closed after its regular end.
    const rejectIfUnread = (): void => {
      if (!request.readableEnded) fail();
    };
    request.once(BROKEN, fail).once('error', fail).once('close', rejectIfUnread);
    if (brokenRequests.has(request)) fail();
    if (request.destroyed) rejectIfUnread();
  });
}

/**
 * Passes each chunk of the body to `onChunk` until the end, or until it returns `enough`. The rest is then read and dropped, so
 * that a client that sends everything first still receives the answer. The server's request timeout bounds that.
 * @throws ServiceError bad_request when the body cannot be read
 */
function drainBody(request: IncomingMessage, onChunk: (chunk: Buffer) => 'more' | 'enough'): Promise<void> {
  const drained = new Promise<void>((resolve) => {
    request.on('data', (chunk: Buffer) => {
      if (onChunk(chunk) === 'enough') resolve();
    });
    request.once('end', resolve);
  });
  return Promise.race([drained, rejectWhenBroken(request)]);
}

/**
 * Reads the whole body of a request.
 * @throws ServiceError payload_too_large; bad_request when it cannot be read
 */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await drainBody(request, (chunk) => {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      chunks.length = 0;
      return 'enough';
    }
    chunks.push(chunk);
    return 'more';
  });
  if (bytes > bytesMax) throw new ServiceError('payload_too_large');
  return Buffer.concat(chunks);
}

/** Size of the largest body that an operation without a request body tolerates. */
const IGNORED_BODY_BYTES_MAX = 64 * 1024;

/**
 * Reads and discards an unused request body until its size is known to be acceptable. A declared length is trusted, because Node
 * reads exactly that much.
 * @throws ServiceError payload_too_large; bad_request when the chunks are malformed, too slow or cut off
 */
export async function ignoreBody(request: IncomingMessage): Promise<void> {
  const declared = request.headers['content-length'];
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  let bytes = 0;
  if (isChunked)
    await drainBody(request, (chunk) => ((bytes += chunk.length) > IGNORED_BODY_BYTES_MAX ? 'enough' : 'more'));
  request.resume();
  if (Math.max(bytes, Number(declared ?? 0)) > IGNORED_BODY_BYTES_MAX) throw new ServiceError('payload_too_large');
}

/** `address`: an IPv4 address itself, or the /64 of an IPv6 address, which usually belongs to one customer (RFC 6177). */
export type NetworkSize = 'address' | '/24' | '/56' | '/48' | '/32';

export interface Network {
  readonly size: NetworkSize;
  /** Such as `198.51.100.0/24`. */
  readonly prefix: string;
}

const IPV4_SIZES = { address: 32, '/24': 24 } as const;
/** A household often has a /56, a company a /48, a provider a /32 (RFC 6177). */
const IPV6_SIZES = { address: 64, '/56': 56, '/48': 48, '/32': 32 } as const;

/** Returns the networks that contain an IP address, narrowest first. All other texts count as one network. */
export function networksOf(address: string): readonly [Network, ...Network[]] {
  if (!ipaddr.isValid(address)) return [{ size: 'address', prefix: 'no address' }];
  // Also reads an IPv4 address written as IPv6: ::ffff:192.0.2.1.
  const parsed = ipaddr.process(address);
  const [kind, sizes] = parsed instanceof ipaddr.IPv4 ? [ipaddr.IPv4, IPV4_SIZES] : [ipaddr.IPv6, IPV6_SIZES];
  const networks = Object.entries(sizes).map(([size, bits]): Network => {
    const network = kind.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString();
    const isAddress = parsed instanceof ipaddr.IPv4 && size === 'address';
    return { size: size as NetworkSize, prefix: isAddress ? network : `${network}/${bits}` };
  });
  return networks as [Network, ...Network[]];
}

/** Returns the prefix of one customer's network: an IPv4 address, or the /64 of an IPv6 address. */
export function subjectOfAddress(address: string): string {
  return networksOf(address)[0].prefix;
}

/** Returns the network that gets one share of common resources: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function sharingNetwork(address: string): Network {
  const networks = networksOf(address);
  return networks.find(({ size }) => size === '/24' || size === '/48') ?? networks[0];
}

export function networkOf(address: string): string {
  return sharingNetwork(address).prefix;
}
