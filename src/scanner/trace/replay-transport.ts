import { setImmediate as nextTurn } from 'node:timers/promises';
import { inParts } from '../../net/body.js';
import type { FetchFailure } from '../../net/failure.js';
import {
  type HopRequest,
  type HopResponse,
  ResponseHeaders,
  type Transport,
  TransportError,
  UnsentError,
} from '../../net/transport.js';
import { type RecordedExchange, type Recording, replayKey, type UnsentRequest } from './recording.js';

/** Turns of the event loop without a request or chunk, after which only the time limit can end a scan. */
const QUIET_TURNS = 200;

/** Answers every request from a recording, by its key. It opens no socket and resolves no name. */
export class ReplayTransport implements Transport {
  readonly #answers = new Map<string, (RecordedExchange | UnsentRequest)[]>();
  readonly #isOutOfTime: boolean;
  readonly #timeUp = new AbortController();
  #eventCount = 0;
  #missingCount = 0;

  constructor({ run, exchanges }: Recording) {
    for (const exchange of exchanges) this.#add(replayKey(exchange.request), exchange);
    for (const request of run.unsent) this.#add(request.key, request);
    this.#isOutOfTime = run.isOutOfTime;
  }

  /** Aborted when the recorded scan reached its time limit. */
  get timeUp(): AbortSignal {
    return this.#timeUp.signal;
  }

  /** Requests that the recording does not hold. */
  get missingCount(): number {
    return this.#missingCount;
  }

  async exchange(request: HopRequest): Promise<HopResponse> {
    const { url, method, headers, body = null, signal } = request;
    signal.throwIfAborted();
    this.#eventCount += 1;
    const answer = this.#next(replayKey({ method, url: url.href, headers, body }));
    if (answer === null) {
      // The scan may end before it needs an answer; then nothing is missing.
      await (this.#isOutOfTime ? this.#reachTimeLimit(signal) : this.#waitForQuiet(signal));
      this.#missingCount += 1;
      throw new TransportError('connect_failed');
    }
    if (!('request' in answer)) throw new UnsentError(answer.failure);
    const { response, failure } = answer;
    if (response === null && failure === 'run_deadline' && this.#isOutOfTime) await this.#reachTimeLimit(signal);
    const recorded = answerOf(answer, signal);
    return { ...recorded, body: this.#read(recorded, failure, signal) };
  }

  async close(): Promise<void> {
    // Nothing is open.
  }

  #add(key: string, answer: RecordedExchange | UnsentRequest): void {
    const answers = this.#answers.get(key);
    if (answers) answers.push(answer);
    else this.#answers.set(key, [answer]);
  }

  /** A request that is made more often than recorded gets its last answer again. */
  #next(key: string): RecordedExchange | UnsentRequest | null {
    const answers = this.#answers.get(key);
    return (answers && answers.length > 1 ? answers.shift() : answers?.[0]) ?? null;
  }

  async *#read({ body }: HopResponse, failure: FetchFailure | null, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of body) {
        this.#eventCount += 1;
        yield part;
      }
    } finally {
      if (failure === 'run_deadline' && this.#isOutOfTime) await this.#reachTimeLimit(signal);
    }
  }

  /** Waits until nothing else happens, then ends the time of the scan. */
  async #reachTimeLimit(signal: AbortSignal): Promise<void> {
    await this.#waitForQuiet(signal);
    this.#timeUp.abort();
    signal.throwIfAborted();
  }

  async #waitForQuiet(signal: AbortSignal): Promise<void> {
    for (let before = -1; before !== this.#eventCount;) {
      before = this.#eventCount;
      for (let turn = 0; turn < QUIET_TURNS && !signal.aborted; turn += 1) await nextTurn();
    }
    signal.throwIfAborted();
  }
}

/** Answers from a recording, and sends at most `requestsMax` other requests to the network. */
export function answerFrom({ exchanges }: Recording, network: Transport, requestsMax: number): Transport {
  const recorded = new Map(exchanges.map((exchange) => [replayKey(exchange.request), exchange]));
  const find = ({ url, method, headers, body = null }: Parameters<Required<Transport>['answersOffline']>[0]) => {
    const exchange = recorded.get(replayKey({ method, url: url.href, headers, body }));
    return exchange?.response?.isAbandoned === true ? undefined : exchange;
  };
  let left = requestsMax;
  return {
    addressOf: async (url) => (await network.addressOf?.(url)) ?? url.hostname,
    answersOffline: (request) => find(request) !== undefined,
    close: () => network.close(),
    exchange: async (request) => {
      const exchange = find(request);
      if (exchange) return answerOf(exchange, request.signal);
      if (left === 0) throw new UnsentError('budget_spent');
      left -= 1;
      return network.exchange(request);
    },
  };
}

function answerOf({ response, failure }: RecordedExchange, signal: AbortSignal): HopResponse {
  signal.throwIfAborted();
  if (response === null) throw new TransportError(failure ?? 'connect_failed');
  const read = async function* (): AsyncGenerator<Uint8Array> {
    yield* inParts(response.body, signal);
    if (failure) throw new TransportError(failure);
    // The rest of the body is unknown.
    if (response.isAbandoned) throw new TransportError('cut_off');
  };
  return { status: response.status, headers: new ResponseHeaders(response.headers), body: read() };
}
