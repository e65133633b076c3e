import type { FetchFailure } from '../../net/failure.js';
import { ByteBuffer } from '../../net/body.js';
import type { Listener } from '../client/events.js';
import { type HopRequest, type HopResponse, type Transport, TransportError } from '../../net/transport.js';
import type { RefusalReason } from '../../net/refusal.js';
import type { UrlGate } from '../../net/url-gate.js';
import {
  isRecordedField,
  type RecordedExchange,
  type RecordedResponse,
  type RecordedRun,
  replayKey,
  type UnsentRequest,
} from './recording.js';

/** Ends an exchange. Only the first call counts. */
type End = (failure: FetchFailure | null, response: RecordedResponse | null) => void;

/** Records the exchanges of a run, and what its gate and limits refused. */
export class Recorder {
  readonly #exchanges: RecordedExchange[] = [];
  readonly #unsent: UnsentRequest[] = [];
  readonly #refused = new Map<string, RefusalReason>();

  constructor(private readonly now: () => Date) {}

  /** In the order in which they ended. Closing the visit ends those in flight. */
  get exchanges(): readonly RecordedExchange[] {
    return this.#exchanges;
  }

  get seen(): Pick<RecordedRun, 'unsent' | 'refused'> {
    return { unsent: this.#unsent, refused: Array.from(this.#refused, ([url, reason]) => ({ url, reason })) };
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

  readonly listen: Listener = (event) => {
    if (event.kind !== 'unsent' || event.failure === 'run_deadline') return;
    const { request, failure } = event;
    this.#unsent.push({ key: replayKey({ ...request, url: request.url.href }), failure });
  };

  watchTransport(transport: Transport): Transport {
    return {
      exchange: (request) => this.#exchange(transport, request),
      addressOf: async (url) => (await transport.addressOf?.(url)) ?? url.hostname,
      close: () => transport.close(),
    };
  }

  async #exchange(transport: Transport, request: HopRequest): Promise<HopResponse> {
    const end = this.#begin(request);
    try {
      const answer = await transport.exchange(request);
      return { ...answer, body: recordBody(answer, request.signal, end) };
    } catch (error) {
      if (error instanceof TransportError) end(error.failure, null);
      throw error;
    }
  }

  #begin({ url, method, headers, body }: HopRequest): End {
    const startedAt = this.now();
    const beganMs = performance.now();
    const recorded = Object.fromEntries(Object.entries(headers).filter(([name]) => isRecordedField(name)));
    let hasEnded = false;
    return (failure, response) => {
      if (hasEnded) return;
      hasEnded = true;
      this.#exchanges.push({
        request: { method, url: url.href, headers: recorded, body: body ?? null },
        startedAt,
        durationMs: Math.round(performance.now() - beganMs),
        response,
        failure,
      });
    };
  }
}

/** Passes a body on and records what is read of it. */
function recordBody({ status, headers, body }: HopResponse, signal: AbortSignal, end: End): AsyncIterable<Uint8Array> {
  const recorded = headers.lines.filter(([name]) => isRecordedField(name));
  const kept = new ByteBuffer();
  const finish = (failure: FetchFailure | null, isAbandoned = false): void =>
    end(failure, { status, headers: recorded, body: kept.take(), isAbandoned });
  // An unread body ends with its exchange. The reader resets the connection once it has enough.
  const onAbort = (): void => {
    const failure = failureOf(signal.reason) ?? 'run_deadline';
    finish(failure === 'reset' ? null : failure, failure === 'reset');
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return pass(body, kept, finish);
}

async function* pass(
  body: AsyncIterable<Uint8Array>,
  kept: ByteBuffer,
  finish: (failure: FetchFailure | null, isAbandoned?: boolean) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      kept.add(chunk);
      yield chunk;
    }
    finish(null);
  } catch (error) {
    finish(failureOf(error) ?? 'bad_protocol');
    throw error;
  } finally {
    // Only counts if the reader stopped early.
    finish(null, true);
  }
}

function failureOf(error: unknown): FetchFailure | null {
  return error instanceof TransportError ? error.failure : null;
}
