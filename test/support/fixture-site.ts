import { type FetchFailure, TransportError } from '../../src/net/failure.js';
import { type HopRequest, type HopResponse, ResponseHeaders, type Transport } from '../../src/net/transport.js';
import { typeByExtension } from '../../src/scanner/report/examples.js';
import { octetsOf } from '../../src/scanner/trace/replay-transport.js';

export interface FixtureAnswer {
  /** By default 200. */
  readonly status?: number;
  /** The Content-Type; by default from the extension of the path, else text/html. Null sends none. */
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** As sent on the wire: a `content-encoding` header goes with bytes that are encoded already. */
  readonly body?: string | Uint8Array;
  /** The exchange fails in this way; nothing else of the answer is used. */
  readonly failure?: FetchFailure;
  readonly cut?: true;
}

export interface FixtureRequest {
  readonly url: URL;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | null;
}

/** A string is a body, a number a status. */
type ShortAnswer = FixtureAnswer | string | number;
/** A function may answer differently each time, or wait. */
export type FixtureRoute = ShortAnswer | ((request: FixtureRequest) => ShortAnswer | Promise<ShortAnswer>);

/**
 * A small site as a table of what each URL answers. Keys: a path (`/llms.txt`) of the site's own origin, an absolute URL of
 * another host, `*` for everything else on the own origin, `https://other.com/*` likewise for another one. A path with its
 * query goes before the path alone. A known host answers the rest with an HTML 404; an unknown host does not exist.
 */
export interface FixtureSite {
  /** By default {@link FIXTURE_ORIGIN}. */
  readonly origin?: string;
  readonly routes: Readonly<Record<string, FixtureRoute>>;
}

export const FIXTURE_ORIGIN = 'https://www.fixture-site.com';

export const NOT_FOUND_PAGE =
  '<!doctype html><html lang="en"><head><title>Not found</title></head><body><h1>Not found</h1></body></html>';

const CHUNK_BYTES = 16_384;

/** An answer with its defaults filled in. */
export interface SettledAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly failure: FetchFailure | null;
  readonly isCut: boolean;
}

export async function answerOf(site: FixtureSite, request: FixtureRequest): Promise<SettledAnswer> {
  const answer = await resolveRoute(findRoute(site, request.url), request);
  return {
    status: answer.status ?? 200,
    headers: headersOf(answer, request.url),
    body: typeof answer.body === 'string' ? Buffer.from(answer.body) : (answer.body ?? new Uint8Array()),
    failure: answer.failure ?? null,
    isCut: answer.cut === true,
  };
}

export async function resolveRoute(route: FixtureRoute, request: FixtureRequest): Promise<FixtureAnswer> {
  const given = typeof route === 'function' ? await route(request) : route;
  if (typeof given === 'number') return { status: given };
  return typeof given === 'string' ? { body: given } : given;
}

function findRoute(site: FixtureSite, url: URL): FixtureRoute {
  const own = new URL(site.origin ?? FIXTURE_ORIGIN);
  const paths = [url.pathname + url.search, url.pathname, '*'];
  const keys = [
    ...(url.origin === own.origin ? paths : []),
    ...paths.map((path) => (path === '*' ? `${url.origin}/*` : url.origin + path)),
  ];
  for (const key of keys) {
    const route = Object.hasOwn(site.routes, key) ? site.routes[key] : undefined;
    if (route !== undefined) return route;
  }
  const hosts = [
    own.hostname,
    ...Object.keys(site.routes).flatMap((key) => (URL.canParse(key) ? new URL(key).hostname : [])),
  ];
  if (!hosts.includes(url.hostname)) return { failure: 'name_not_found' };
  return { status: 404, type: 'text/html; charset=utf-8', body: NOT_FOUND_PAGE };
}

function headersOf(answer: FixtureAnswer, url: URL): [string, string][] {
  const headers: [string, string][] = [];
  const type = answer.type === undefined ? typeByExtension(url.pathname) : answer.type;
  if (type !== null) headers.push(['content-type', type]);
  for (const [name, values] of Object.entries(answer.headers ?? {})) {
    for (const value of typeof values === 'string' ? [values] : values) headers.push([name, value]);
  }
  return headers;
}

/** Answers requests from a fixture site, without sockets. */
export class FixtureTransport implements Transport {
  /** Every exchange in the order of its start. */
  readonly requests: { readonly method: string; readonly url: string; readonly headers: FixtureRequest['headers'] }[] =
    [];
  isClosed = false;

  constructor(readonly site: FixtureSite) {}

  async exchange(request: HopRequest): Promise<HopResponse> {
    request.signal.throwIfAborted();
    const { url, method, headers, body } = request;
    this.requests.push({ method, url: url.href, headers });
    const answer = await abortable(
      answerOf(this.site, { url, method, headers, ...(body === undefined ? {} : { body }) }),
      request.signal,
    );
    if (answer.failure) throw new TransportError(answer.failure);
    return {
      status: answer.status,
      // As a server sends them, in UTF-8.
      headers: new ResponseHeaders(answer.headers.map(([name, value]) => [name, octetsOf(value)])),
      body: bodyOf(answer, request.signal),
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

async function* bodyOf({ body, isCut }: SettledAnswer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const end = isCut ? Math.floor(body.length / 2) : body.length;
  for (let at = 0; at < end; at += CHUNK_BYTES) {
    signal.throwIfAborted();
    yield body.subarray(at, Math.min(end, at + CHUNK_BYTES));
  }
  if (isCut) throw new TransportError('cut_off');
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}

export const SOME_ADDRESS = '93.184.215.14';

/** Adds the addresses of hosts to a transport. */
export function addressed(transport: Transport, addresses: Readonly<Record<string, string>> = {}): Transport {
  return {
    exchange: (request) => transport.exchange(request),
    addressOf: async ({ hostname }) => addresses[hostname] ?? SOME_ADDRESS,
    close: () => transport.close(),
  };
}
