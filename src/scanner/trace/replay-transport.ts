import {
  type HopRequest,
  type HopResponse,
  ResponseHeaders,
  type Transport,
  TransportError,
  UnsentError,
} from '../../net/transport.js';
import { hostAndPort } from './recorder.js';
import {
  type RecordedExchange,
  type RecordedResponse,
  type Recording,
  replayKey,
  type UnsentRequest,
} from './recording.js';
import { Turns } from './turns.js';

/** What came of one request: an exchange with its place in the order, or a request that was not sent. */
type Answer = { readonly exchange: RecordedExchange; readonly index: number } | UnsentRequest;

const CHUNK_BYTES = 16_384;

/** Answers every request from a record, the same one in the order in which it was asked. It opens no socket and resolves no name. */
export class ReplayTransport implements Transport {
  readonly #answers = new Map<string, Answer[]>();
  readonly #hungLookups: ReadonlySet<string>;
  readonly #isOutOfTime: boolean;
  readonly #turns: Turns;
  readonly #timeUp = new AbortController();
  #missingCount = 0;

  constructor({ run, exchanges }: Recording) {
    exchanges.forEach((exchange, index) => this.#add(replayKey(exchange.request), { exchange, index }));
    for (const request of run.unsent) this.#add(request.key, request);
    this.#hungLookups = new Set(run.hungLookups);
    this.#isOutOfTime = run.isOutOfTime;
    this.#turns = new Turns(() => {
      if (run.isOutOfTime) this.#timeUp.abort();
    });
    exchanges.forEach((exchange, index) => {
      if (isCutByTime(exchange)) this.#turns.end(index);
    });
  }

  /** Aborted where the scan came to its time limit: once all has happened that happened before. */
  get timeUp(): AbortSignal {
    return this.#timeUp.signal;
  }

  /** Requests that the record does not hold. */
  get missingCount(): number {
    return this.#missingCount;
  }

  async addressOf(url: URL): Promise<string> {
    return this.#hungLookups.has(hostAndPort(url)) ? new Promise(() => undefined) : url.hostname;
  }

  async exchange(request: HopRequest): Promise<HopResponse> {
    const { url, method, headers, body = null, signal } = request;
    signal.throwIfAborted();
    this.#turns.touch();
    const answer = this.#next(replayKey({ method, url: url.href, headers, body }));
    if (answer === null) return this.#isOutOfTime ? whenAborted(signal) : this.#refuse(signal);
    if (!('exchange' in answer)) throw new UnsentError(answer.failure);
    const { exchange, index } = answer;
    const { response, failure } = exchange;
    if (isCutByTime(exchange) && this.#isOutOfTime) return whenAborted(signal);
    await Promise.race([this.#turns.take(index), whenAborted(signal)]);
    signal.addEventListener('abort', () => this.#turns.end(index), { once: true });
    if (response) return { ...headOf(response), body: this.#read(response, exchange, index, signal) };
    this.#turns.end(index);
    throw new TransportError(failure ?? 'connect_failed');
  }

  async close(): Promise<void> {
    this.#turns.close();
  }

  #add(key: string, answer: Answer): void {
    const answers = this.#answers.get(key);
    if (answers) answers.push(answer);
    else this.#answers.set(key, [answer]);
  }

  /** A request that was asked more often than it was recorded gets its last answer again. */
  #next(key: string): Answer | null {
    const answers = this.#answers.get(key);
    return (answers && answers.length > 1 ? answers.shift() : answers?.[0]) ?? null;
  }

  /** The scan may end before it would have had an answer; if so, nothing is missing. */
  async #refuse(signal: AbortSignal): Promise<never> {
    await Promise.race([this.#turns.waitForQuiet(), whenAborted(signal)]);
    this.#missingCount += 1;
    throw new TransportError('connect_failed');
  }

  async *#read(
    { body, isAbandoned }: RecordedResponse,
    { failure }: RecordedExchange,
    index: number,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    try {
      for (const part of partsOf(body, signal)) {
        this.#turns.touch();
        yield part;
      }
    } finally {
      this.#turns.end(index);
    }
    if (failure === 'run_deadline' && this.#isOutOfTime) await whenAborted(signal);
    if (failure) throw new TransportError(failure);
    // What would have followed is unknown.
    if (isAbandoned) throw new TransportError('cut_off');
  }
}

/** Whether the run's time was over before the answer began. */
function isCutByTime({ response, failure }: RecordedExchange): boolean {
  return response === null && failure === 'run_deadline';
}

/** Its head, as it was received. */
export function headOf({ status, headers, isChunked }: RecordedResponse): Pick<HopResponse, 'status' | 'headers'> {
  const framing: RecordedResponse['headers'] = isChunked ? [['transfer-encoding', 'chunked']] : [];
  return { status, headers: new ResponseHeaders([...headers, ...framing]) };
}

/** A recorded body in parts: who reads it lets the event loop turn between them alone. */
export function* partsOf(body: Uint8Array, signal: AbortSignal): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    signal.throwIfAborted();
    yield body.subarray(at, at + CHUNK_BYTES);
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
