import { setTimeout as delay } from 'node:timers/promises';
import type { Listener, Layer } from './request.js';
import type { Fetched } from './visit.js';

/** Waits, or rejects as soon as the signal aborts. Injected, so that tests need not wait. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** Pause before the second try; the third waits three times as long. */
const PAUSE_MS = 500;
const PAUSE_FACTOR = 3;
const RETRY_AFTER_MAX_MS = 5000;
const TRIES_MAX = 3;
const STALL_TRIES_MAX = 2;

export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}

export interface RetryRules {
  readonly pause: Pause;
  /** Aborts at the run's deadline. */
  readonly signal: AbortSignal;
  readonly listen: Listener;
}

/**
 * Tries 5xx, 429 and resets up to three times with growing pauses, stalls twice, everything else once. If the deadline or the budget
 * ends the tries early, returns that failure: findings say "on every try", which would not be proven.
 */
export function retry({ pause, signal, listen }: RetryRules): Layer {
  return async (request, next) => {
    for (let tryNumber = 1; ; tryNumber += 1) {
      const fetched = await next(tryNumber === 1 ? request : { ...request, isFollowUp: true });
      if (request.attempts === 'once' || tryNumber >= triesFor(fetched)) return fetched;
      const pauseMs = pauseAfter(fetched, tryNumber);
      listen({ kind: 'retried', request, pauseMs });
      try {
        await pause(pauseMs, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        listen({ kind: 'unsent', request, failure: 'run_deadline' });
        return { failure: 'run_deadline' };
      }
    }
  };
}

/** Returns how often a request with this result is tried in total. */
export function triesFor(fetched: Fetched): number {
  if ('failure' in fetched) {
    return fetched.failure === 'reset' ? TRIES_MAX : fetched.failure === 'stalled' ? STALL_TRIES_MAX : 1;
  }
  return isRetryableStatus(fetched.response.status) ? TRIES_MAX : 1;
}

export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 429;
}

function pauseAfter(fetched: Fetched, tryNumber: number): number {
  if ('failure' in fetched && fetched.failure === 'stalled') return 0;
  const growing = PAUSE_MS * PAUSE_FACTOR ** (tryNumber - 1);
  const requested = 'response' in fetched ? Number(fetched.response.headers.get('retry-after') ?? 0) * 1000 : 0;
  return Math.min(RETRY_AFTER_MAX_MS, Number.isFinite(requested) ? Math.max(growing, requested) : growing);
}
