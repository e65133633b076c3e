import { type Listener, type Layer, requestKey, type SiteRequest } from './request.js';
import { triesFor } from './retries.js';
import type { Fetched } from './visit.js';

interface Entry {
  readonly request: SiteRequest;
  readonly fetched: Promise<Fetched>;
}

/** Caches the responses of one run, so that all checks together fetch each URL once. */
export class FetchMemo {
  readonly #entries = new Map<string, Entry>();
  #bytesLeft: number;

  /** @param bytesMax total bytes of cached bodies; a response beyond that is fetched again */
  constructor(
    bytesMax: number,
    private readonly listen: Listener,
  ) {
    this.#bytesLeft = bytesMax;
  }

  /**
   * Answers from the cache, or calls the next layer. Bypasses the cache for a request with a sink, which must see the bytes, and for one
   * under another agent's name.
   */
  readonly answer: Layer = async (request, next) => {
    if (request.sink !== null || request.isRepeat || request.isUnderOtherName) return await next(request);
    const key = requestKey(request);
    for (let entry = this.#entries.get(key); entry; entry = this.#entries.get(key)) {
      const fetched = await entry.fetched;
      if (canServe(entry.request, fetched, request)) {
        this.listen({ kind: 'remembered', request });
        return cutTo(fetched, request.bodyBytesMax);
      }
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
    const fetched = next(request);
    this.#entries.set(key, { request, fetched });
    this.#limitBytes(key, await fetched);
    return fetched;
  };

  #limitBytes(key: string, fetched: Fetched): void {
    const bytes = 'response' in fetched ? fetched.response.body.length : 0;
    if (bytes > this.#bytesLeft) this.#entries.delete(key);
    else this.#bytesLeft -= bytes;
  }
}

/** True if a cached response is as good as a new one: at least as much of the body and as many tries, or the same priority if the budget ran out. */
function canServe(first: SiteRequest, fetched: Fetched, request: SiteRequest): boolean {
  if ('failure' in fetched && fetched.failure === 'budget_spent') return first.priority === request.priority;
  const hasTriedEnough = triesFor(fetched) === 1 || first.attempts === 'standard' || request.attempts === 'once';
  const hasEnoughBody =
    !('response' in fetched) || !fetched.response.isOverLimit || first.bodyBytesMax >= request.bodyBytesMax;
  return hasTriedEnough && hasEnoughBody;
}

function cutTo(fetched: Fetched, bytesMax: number): Fetched {
  if (!('response' in fetched) || fetched.response.byteCount <= bytesMax) return fetched;
  const { response } = fetched;
  return {
    response: { ...response, body: response.body.subarray(0, bytesMax), byteCount: bytesMax, isOverLimit: true },
  };
}
