import { ByteBuffer } from '../../net/body.js';
import { failureOf, TransportError } from '../../net/failure.js';
import { type HopRequest, type HopResponse, type Transport, wrapTransport } from '../../net/transport.js';
import type { RefusalReason, UrlGate } from '../../net/url-gate.js';
import type { Listener } from '../client/visit.js';
import { describeFailure, describeRequest, describeResponse, replayKey } from './har.js';
import type { HarEntry, HarResponse, RecordedRun, UnsentRequest } from './recording.js';

type End = Pick<HarResponse, '_error' | '_isAbandoned'>;

/** Records the exchanges of a run, and what its gate and limits refused. */
export class Recorder {
  /** In the order in which header fields arrived or requests failed. */
  readonly entries: HarEntry[] = [];
  readonly #unsent: UnsentRequest[] = [];
  readonly #refused = new Map<string, RefusalReason>();

  constructor(private readonly now: () => Date) {}

  get refusals(): Pick<RecordedRun, 'unsent' | 'refused'> {
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
    return wrapTransport(transport, { exchange: (request) => this.#exchange(transport, request) });
  }

  async #exchange(transport: Transport, request: HopRequest): Promise<HopResponse> {
    const startedDateTime = this.now().toISOString();
    const startedMs = performance.now();
    const elapsedMs = (): number => Math.round(performance.now() - startedMs);
    const add = (response: HarResponse): HarEntry => {
      const entry = { startedDateTime, time: elapsedMs(), request: describeRequest(request), response };
      this.entries.push(entry);
      return entry;
    };
    try {
      const response = await transport.exchange(request);
      // Some bodies are never read, such as event streams.
      const entry = add(describeResponse(response, new Uint8Array(), { _isAbandoned: true }));
      const received = new ByteBuffer();
      let hasEnded = false;
      const end = (ending: End): void => {
        if (hasEnded) return;
        hasEnded = true;
        Object.assign(entry, { time: elapsedMs(), response: describeResponse(response, received.take(), ending) });
      };
      // A reader that has enough aborts the request, and may never ask for the rest of the body.
      const onAbort = (): void => {
        const reason: unknown = request.signal.reason;
        const failure = reason instanceof TransportError ? reason.failure : 'run_deadline';
        end(failure === 'reset' ? { _isAbandoned: true } : { _error: failure });
      };
      request.signal.addEventListener('abort', onAbort, { once: true });
      return { ...response, body: recordBody(response.body, received, end) };
    } catch (error) {
      if (error instanceof TransportError) add(describeFailure(error.failure));
      throw error;
    }
  }
}

/** Passes a body on and records what the reader consumes. @param end only its first call counts */
async function* recordBody(
  body: AsyncIterable<Uint8Array>,
  received: ByteBuffer,
  end: (ending: End) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      received.add(chunk);
      yield chunk;
    }
    end({});
  } catch (error) {
    end({ _error: failureOf(error) });
    throw error;
  } finally {
    // Has an effect only if the reader stopped early.
    end({ _isAbandoned: true });
  }
}
