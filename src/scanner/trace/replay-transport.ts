import { setImmediate as nextTurn } from 'node:timers/promises';
import { getOrCreate } from '../../net/keyed.js';
import {
  type FieldLine,
  type HopRequest,
  type HopResponse,
  ResponseHeaders,
  type Transport,
  wrapTransport,
} from '../../net/transport.js';
import { isSuccess } from '../client/requests.js';
import type { ResponseHead } from '../client/stand-in.js';
import { describeRequest, replayKey } from './har.js';
import type { HarResponse, Recording, UnsentRequest } from './recording.js';
import { TransportError, UnsentError } from '../../net/failure.js';

/** Event-loop turns that a request outside the recording waits, because a scan that is about to end aborts it. */
const LAST_TURNS = 2000;

/** Answers every request from a recording, by its key. It opens no socket and resolves no name. */
export class ReplayTransport implements Transport {
  readonly #answers = new Map<string, (HarResponse | UnsentRequest)[]>();
  readonly #isOutOfTime: boolean;
  #missingCount = 0;

  constructor({ run, entries }: Recording) {
    for (const { request, response } of entries)
      getOrCreate(this.#answers, replayKey(request), () => []).push(response);
    for (const request of run.unsent) getOrCreate(this.#answers, request.key, () => []).push(request);
    this.#isOutOfTime = run.isOutOfTime;
  }

  /** Number of requests that the recording does not contain. */
  get missingCount(): number {
    return this.#missingCount;
  }

  async exchange(request: HopRequest): Promise<HopResponse> {
    const { signal } = request;
    const answers = this.#answers.get(replayKey(describeRequest(request))) ?? [];
    // A request that is repeated more often than recorded gets the last response again.
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined) {
      // The recorded scan ended before it sent this request.
      if (this.#isOutOfTime) throw new TransportError('run_deadline');
      for (let turn = 0; turn < LAST_TURNS && !signal.aborted; turn += 1) await nextTurn();
      signal.throwIfAborted();
      this.#missingCount += 1;
      throw new TransportError('connect_failed');
    }
    if ('key' in answer) throw new UnsentError(answer.failure);
    return answerWith(answer, signal);
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}

/** Replays the exchanges of a recording, and sends at most `requestsMax` other requests to the network. */
export function createPartialReplay({ entries }: Recording, network: Transport, requestsMax: number): Transport {
  const complete = entries.filter(({ response }) => !response._isAbandoned);
  const recorded = new Map(complete.map(({ request, response }) => [replayKey(request), response]));
  const find = (request: Omit<HopRequest, 'signal'>): HarResponse | undefined =>
    recorded.get(replayKey(describeRequest(request)));
  let requestsLeft = requestsMax;
  return wrapTransport(network, {
    answersOffline: (request) => find(request) !== undefined,
    exchange: async (request) => {
      const response = find(request);
      if (response) return answerWith(response, request.signal);
      if (requestsLeft === 0) throw new UnsentError('budget_spent');
      requestsLeft -= 1;
      return network.exchange(request);
    },
  });
}

/** Returns how each URL answered a GET request: its first success, otherwise its last response. */
export function answersByUrl({ entries }: Recording): Map<string, ResponseHead> {
  const answers = new Map<string, ResponseHead>();
  for (const { request, response } of entries) {
    if (request.method !== 'GET' || isSuccess(answers.get(request.url)?.status ?? 0)) continue;
    answers.set(request.url, { status: response.status, headers: headersOf(response) });
  }
  return answers;
}

function answerWith(response: HarResponse, signal: AbortSignal): HopResponse {
  const { status, content, _error: failure, _isAbandoned } = response;
  signal.throwIfAborted();
  if (status === 0) throw new TransportError(failure ?? 'connect_failed');
  const body = Buffer.from(content.text, content.encoding ?? 'utf8');
  const read = async function* (): AsyncGenerator<Uint8Array> {
    yield body;
    if (failure) throw new TransportError(failure);
    // The rest of the body is unknown.
    if (_isAbandoned) throw new TransportError('cut_off');
  };
  return { status, headers: headersOf(response), body: read() };
}

function headersOf({ headers, content }: HarResponse): ResponseHeaders {
  const lines = headers.map(({ name, value }): FieldLine => {
    // The content is already decoded.
    const isDecoded = !content._isCoded && name.toLowerCase() === 'content-encoding';
    return [name, isDecoded ? 'identity' : octetsOf(value)];
  });
  return new ResponseHeaders(lines);
}

/** Returns a text as UTF-8, with one character per octet. */
export function octetsOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}
