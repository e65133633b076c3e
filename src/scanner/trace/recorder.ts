import { isIP } from 'node:net';
import type { FetchFailure } from '../../net/failure.js';
import { KeptBytes } from '../../net/body.js';
import type { Listener } from '../client/events.js';
import { type HopRequest, type HopResponse, type Transport, TransportError } from '../../net/transport.js';
import type { RefusalReason } from '../../net/refusal.js';
import { portOf, type UrlGate } from '../../net/url-gate.js';
import {
  isRecordedField,
  type RecordedExchange,
  type RecordedResponse,
  type RecordedRun,
  replayKey,
  type UnsentRequest,
} from './recording.js';

/** What the recorder itself sees of a run. */
export type SeenOfRun = Pick<RecordedRun, 'unsent' | 'refused' | 'hungLookups'>;

/** How an exchange ended. */
interface Ending {
  readonly response: Omit<RecordedResponse, 'isAbandoned'> | null;
  readonly failure: FetchFailure | null;
  readonly isAbandoned: boolean;
}

/** Records one run as it passes: its exchanges, and what its gate and its limits turned away. */
export class Recorder {
  readonly #exchanges: RecordedExchange[] = [];
  readonly #unsent: UnsentRequest[] = [];
  readonly #refused = new Map<string, RefusalReason>();
  readonly #lookups = new Map<string, { readonly count: number; readonly address: string | null }>();

  /** @param now the time */
  constructor(private readonly now: () => Date) {}

  /** In the order in which they ended. Those under way end when the visit is closed. */
  get exchanges(): readonly RecordedExchange[] {
    return this.#exchanges;
  }

  get seen(): SeenOfRun {
    return {
      unsent: this.#unsent,
      refused: [...this.#refused].map(([url, reason]) => ({ url, reason })),
      hungLookups: [...this.#lookups].filter(([, { count }]) => count > 0).map(([host]) => host),
    };
  }

  watchGate(gate: UrlGate): UrlGate {
    return {
      vetUrl: (url) => {
        const reason = gate.vetUrl(url);
        if (reason !== null) this.#refused.set(url.href, reason);
        return reason;
      },
    };
  }

  /** What comes after the deadline would not have been sent in a replay either. */
  readonly listen: Listener = (event) => {
    if (event.kind !== 'unsent' || event.failure === 'run_deadline') return;
    const { request, failure } = event;
    this.#unsent.push({ key: replayKey({ ...request, url: request.url.href }), failure });
  };

  watchTransport(transport: Transport): Transport {
    return {
      exchange: (request) => this.#exchange(transport, request),
      addressOf: async (url) => {
        const host = hostAndPort(url);
        const count = this.#lookups.get(host)?.count ?? 0;
        this.#lookups.set(host, { count: count + 1, address: null });
        const address = (await transport.addressOf?.(url)) ?? url.hostname;
        const left = (this.#lookups.get(host)?.count ?? 1) - 1;
        this.#lookups.set(host, { count: left, address: isIP(address) ? address : null });
        return address;
      },
      close: () => transport.close(),
    };
  }

  async #exchange(transport: Transport, request: HopRequest): Promise<HopResponse> {
    const end = this.#begin(request);
    let answer: HopResponse;
    try {
      answer = await transport.exchange(request);
    } catch (error) {
      if (error instanceof TransportError) end({ response: null, failure: error.failure, isAbandoned: false });
      throw error;
    }
    return { ...answer, body: watchBody(answer, request.signal, end) };
  }

  /** @returns what ends the exchange; only the first call counts */
  #begin({ url, method, headers, body }: HopRequest): (ending: Ending) => void {
    const startedAt = this.now();
    const beganMs = performance.now();
    const kept = Object.entries(headers).filter(([name]) => isRecordedField(name));
    let hasEnded = false;
    return ({ response, failure, isAbandoned }) => {
      if (hasEnded) return;
      hasEnded = true;
      this.#exchanges.push({
        request: { method, url: url.href, headers: Object.fromEntries(kept), body: body ?? null },
        startedAt,
        durationMs: Math.round(performance.now() - beganMs),
        address: this.#lookups.get(hostAndPort(url))?.address ?? null,
        response: response && { ...response, isAbandoned },
        failure,
      });
    };
  }
}

export function hostAndPort(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

/** Passes a body on and keeps what was read of it: no more than a scan may read. */
function watchBody(
  { status, headers, body }: HopResponse,
  signal: AbortSignal,
  end: (ending: Ending) => void,
): AsyncIterable<Uint8Array> {
  const lines = headers.lines.filter(([name]) => isRecordedField(name));
  const isChunked = headers.get('transfer-encoding') !== null;
  const kept = new KeptBytes();
  const finish = (failure: FetchFailure | null, isAbandoned: boolean): void => {
    const response = { status, headers: lines, body: kept.take(), ...(isChunked && { isChunked }) };
    end({ response, failure, isAbandoned });
  };
  // A body that is not read ends with its exchange.
  const onAbort = (): void => {
    const failure = failureOf(signal.reason);
    // The reader itself cuts the connection once it has enough.
    if (failure === 'reset') finish(null, true);
    else finish(failure ?? 'run_deadline', false);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return pass(body, kept, finish);
}

async function* pass(
  body: AsyncIterable<Uint8Array>,
  kept: KeptBytes,
  finish: (failure: FetchFailure | null, isAbandoned: boolean) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      kept.add(chunk);
      yield chunk;
    }
    finish(null, false);
  } catch (error) {
    finish(failureOf(error) ?? 'bad_protocol', false);
    throw error;
  } finally {
    // Reached without either when the reader stops.
    finish(null, true);
  }
}

function failureOf(error: unknown): FetchFailure | null {
  return error instanceof TransportError ? error.failure : null;
}
