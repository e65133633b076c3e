import { setImmediate as nextTurn } from 'node:timers/promises';
import { inParts } from '../../net/body.js';
import { remember } from '../../net/keyed.js';
import {
  type HopRequest,
  type HopResponse,
  ResponseHeaders,
  type Transport,
  TransportError,
  UnsentError,
} from '../../net/transport.js';
import { type RecordedExchange, type Recording, replayKey, type UnsentRequest } from './recording.js';

/** Turns of the event loop after which a scan that can end without a response has ended. */
const LAST_TURNS = 2000;

/** Answers every request from a recording, by its key. It opens no socket and resolves no name. */
export class ReplayTransport implements Transport {
  readonly #answers = new Map<string, (RecordedExchange | UnsentRequest)[]>();
  readonly #isOutOfTime: boolean;
  #missingCount = 0;

  constructor({ run, exchanges }: Recording) {
    for (const exchange of exchanges) remember(this.#answers, replayKey(exchange.request), () => []).push(exchange);
    for (const request of run.unsent) remember(this.#answers, request.key, () => []).push(request);
    this.#isOutOfTime = run.isOutOfTime;
  }

  /** Requests that the recording does not hold. */
  get missingCount(): number {
    return this.#missingCount;
  }

  async exchange(request: HopRequest): Promise<HopResponse> {
    const { url, method, headers, body = null, signal } = request;
    const answers = this.#answers.get(replayKey({ method, url: url.href, headers, body })) ?? [];
    // A request that is made more often than recorded gets its last answer again.
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined) {
      // The recorded scan ended before it sent this one.
      if (this.#isOutOfTime) throw new TransportError('run_deadline');
      // A scan that is about to end does not need it.
      for (let turn = 0; turn < LAST_TURNS && !signal.aborted; turn += 1) await nextTurn();
      signal.throwIfAborted();
      this.#missingCount += 1;
      throw new TransportError('connect_failed');
    }
    if (!('request' in answer)) throw new UnsentError(answer.failure);
    return answerOf(answer, signal);
  }

  async close(): Promise<void> {
    // Nothing is open.
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
