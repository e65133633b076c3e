import { ByteBuffer } from '../../net/body.js';
import { type FetchFailure, TransportError } from '../../net/failure.js';
import { type HopRequest, type HopResponse, type Transport } from '../../net/transport.js';
import type { UrlGate, RefusalReason } from '../../net/url-gate.js';
import type { Listener } from '../client/request.js';
import { describeFailure, describeRequest, describeResponse, replayKey } from './har.js';
import type { HarEntry, HarResponse, RecordedRun, UnsentRequest } from './recording.js';

/** Records the exchanges of a run, and what its gate and limits refused. */
export class Recorder {
  readonly #entries: HarEntry[] = [];
  readonly #unsent: UnsentRequest[] = [];
  readonly #refused = new Map<string, RefusalReason>();

  constructor(private readonly now: () => Date) {}

  /** In the order in which they ended. Closing the visit ends those in flight. */
  get entries(): readonly HarEntry[] {
    return this.#entries;
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
    this.#unsent.push({ key: replayKey(describeRequest(event.request)), failure: event.failure });
  };

  watchTransport(transport: Transport): Transport {
    return {
      exchange: (request) => this.#exchange(transport, request),
      addressOf: async (url) => (await transport.addressOf?.(url)) ?? url.hostname,
      close: () => transport.close(),
    };
  }

  async #exchange(transport: Transport, request: HopRequest): Promise<HopResponse> {
    const startedDateTime = this.now().toISOString();
    const beganMs = performance.now();
    const end = (response: HarResponse): void => {
      const time = Math.round(performance.now() - beganMs);
      this.#entries.push({ startedDateTime, time, request: describeRequest(request), response });
    };
    try {
      const answer = await transport.exchange(request);
      return { ...answer, body: recordBody(answer, request.signal, end) };
    } catch (error) {
      if (error instanceof TransportError) end(describeFailure(error.failure));
      throw error;
    }
  }
}

/** Passes a body on and records what is read of it. @param end called once */
function recordBody(
  answer: HopResponse,
  signal: AbortSignal,
  end: (response: HarResponse) => void,
): AsyncIterable<Uint8Array> {
  const read = new ByteBuffer();
  let hasFinished = false;
  const finish = (how: Pick<HarResponse, '_error' | '_isAbandoned'>): void => {
    if (hasFinished) return;
    hasFinished = true;
    end(describeResponse(answer, read.take(), how));
  };
  // An unread body ends with its exchange. The reader resets the connection once it has enough.
  const onAbort = (): void => {
    const failure = failureOf(signal.reason) ?? 'run_deadline';
    finish(failure === 'reset' ? { _isAbandoned: true } : { _error: failure });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return pass(answer.body, read, finish);
}

async function* pass(
  body: AsyncIterable<Uint8Array>,
  read: ByteBuffer,
  finish: (how: Pick<HarResponse, '_error' | '_isAbandoned'>) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      read.add(chunk);
      yield chunk;
    }
    finish({});
  } catch (error) {
    finish({ _error: failureOf(error) ?? 'bad_protocol' });
    throw error;
  } finally {
    // Only counts if the reader stopped early.
    finish({ _isAbandoned: true });
  }
}

function failureOf(error: unknown): FetchFailure | null {
  return error instanceof TransportError ? error.failure : null;
}
