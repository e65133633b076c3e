import {
  type HopRequest,
  type HopResponse,
  ResponseHeaders,
  type Transport,
  TransportError,
  UnsentError,
} from '../../net/transport.js';
import { isSameHost } from '../../net/url-gate.js';
import { scannerUserAgent } from '../artifacts/scanner.js';
import type { Assumption, Overlay, OverlayFile } from './overlay.js';
import { type RecordedExchange, type Recording, replayKey } from './recording.js';
import { headOf, partsOf } from './replay-transport.js';

/** Fields about the bytes of an answer, which another file has not. */
const OF_BYTES = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'content-range', 'content-md5'],
  ...['content-digest', 'repr-digest', 'digest', 'etag', 'last-modified', 'accept-ranges', 'content-disposition'],
]);

export interface OverlayOptions {
  /** Asked for what was not recorded, so that a link that comes with a file is judged by what is there. */
  readonly network: Transport;
  readonly recording: Recording;
  readonly overlay: Overlay;
  /** How often the network may be asked. */
  readonly requestsMax: number;
}

/**
 * Answers as the site did a moment ago, with files in place of what it answers at their paths. What a server decides itself stays: a name
 * that it turns away is turned away, and its header fields go along with the file.
 */
export class OverlayTransport implements Transport {
  readonly #recorded = new Map<string, RecordedExchange>();
  readonly #assumed = new Map<string, Assumption>();
  readonly #origin: URL;
  readonly #ownName: string;
  #left: number;

  constructor(private readonly options: OverlayOptions) {
    const { run, exchanges } = options.recording;
    // The last answer of several: those before it were tried again.
    for (const exchange of exchanges) this.#recorded.set(replayKey(exchange.request), exchange);
    this.#origin = new URL(run.origin);
    this.#left = options.requestsMax;
    this.#ownName = scannerUserAgent(run.infoUrl ?? undefined);
  }

  /** In the order in which they were met. */
  get assumed(): readonly Assumption[] {
    return [...this.#assumed.values()];
  }

  async exchange(request: HopRequest): Promise<HopResponse> {
    const { url, method, headers } = request;
    if (!isSameHost(url, this.#origin)) return this.#askToday(request);
    const file = method === 'GET' ? this.options.overlay.fileAt(url.pathname) : null;
    if (file === null) return this.#withFields(url, await this.#askToday(request));
    const today = await this.#askToday(request).catch((error: unknown) => {
      if (error instanceof TransportError && headers['user-agent'] === this.#ownName) return null;
      throw error;
    });
    const isServed = today !== null && today.status >= 200 && today.status < 300;
    // To the same path of its other name, where the file will be asked for.
    if (today !== null && !isServed && this.#staysHere(url, today)) return today;
    if (!isServed && headers['user-agent'] !== this.#ownName) return today ?? this.#askToday(request);
    await today?.body[Symbol.asyncIterator]().return?.();
    if (!isServed && today?.status !== 404 && !this.#assumed.has(url.pathname)) {
      this.#assumed.set(url.pathname, { path: url.pathname, status: today?.status ?? null });
    }
    return this.#withFields(url, serve(file, isServed ? today : null, request.signal));
  }

  addressOf(url: URL): Promise<string> {
    return this.options.network.addressOf?.(url) ?? Promise.resolve(url.hostname);
  }

  close(): Promise<void> {
    return this.options.network.close();
  }

  #staysHere(url: URL, { status, headers }: HopResponse): boolean {
    const location = headers.get('location');
    const target = location === null ? null : URL.parse(location, url);
    return (
      status >= 300 && status < 400 && target !== null && target.pathname === url.pathname && isSameHost(target, url)
    );
  }

  #withFields({ pathname }: URL, answer: HopResponse): HopResponse {
    const fields = new Map(this.options.overlay.fieldsFor(pathname));
    if (fields.size === 0) return answer;
    const kept = answer.headers.lines.filter(([name]) => !fields.has(name.toLowerCase()));
    const set = [...fields].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
    return { ...answer, headers: new ResponseHeaders([...kept, ...set]) };
  }

  isKnown(request: Parameters<Required<Transport>['isKnown']>[0]): boolean {
    return this.#find(request) !== null;
  }

  /** What was answered a moment ago; null for what was cut off then, or never asked. */
  #find({ url, method, headers, body = null }: Parameters<Required<Transport>['isKnown']>[0]): RecordedExchange | null {
    const exchange = this.#recorded.get(replayKey({ method, url: url.href, headers, body }));
    return exchange && exchange.response?.isAbandoned !== true ? exchange : null;
  }

  /** What was answered a moment ago, or is now. */
  async #askToday(request: HopRequest): Promise<HopResponse> {
    const exchange = this.#find(request);
    if (exchange === null) return this.#askNetwork(request);
    request.signal.throwIfAborted();
    const { response, failure } = exchange;
    if (response === null) throw new TransportError(failure ?? 'connect_failed');
    return { ...headOf(response), body: yieldBody(response.body, failure, request.signal) };
  }
  #askNetwork(request: HopRequest): Promise<HopResponse> {
    if (this.#left === 0) throw new UnsentError('budget_spent');
    this.#left -= 1;
    return this.options.network.exchange(request);
  }
}

function serve({ body, type }: OverlayFile, today: HopResponse | null, signal: AbortSignal): HopResponse {
  const kept = today?.headers.lines.filter(([name]) => !OF_BYTES.has(name.toLowerCase())) ?? [];
  const headers = new ResponseHeaders([...kept, ['content-type', type], ['content-length', String(body.length)]]);
  return { status: 200, headers, body: yieldBody(body, null, signal) };
}

async function* yieldBody(
  body: Uint8Array,
  failure: RecordedExchange['failure'],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  yield* partsOf(body, signal);
  if (failure !== null) throw new TransportError(failure);
}
