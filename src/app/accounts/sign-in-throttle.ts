import { describeWait, TooSoonError } from '../../platform/input-error.js';
import { subjectOfAddress } from '../../platform/client-address.js';
import type { RateLimitResult, RateLimits } from '../limits/rate-limits.js';
import type { Guesser } from './guesser.js';

const WINDOW_MS = 15 * 60_000;
const FAILURES_PER_ACCOUNT_MAX = 10;
const FAILURES_PER_ADDRESS_MAX = 50;

/**
 * Slows down password guessing, of one account from anywhere or of many from one address; no one is locked out for good. Counts one
 * failure before `check`, so that guesses at the same time are counted too, and takes it back unless the check answers null: a wrong guess.
 * @throws TooSoonError instead of checking when there were too many failures
 */
export async function throttleGuess<T>(
  rateLimits: RateLimits,
  by: Guesser,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const taken: RateLimitResult[] = [];
  let isWrong = false;
  try {
    for (const counted of countersOf(by)) taken.push(await rateLimits.take({ ...counted, windowMs: WINDOW_MS }));
    const refusal = taken.find(({ isTaken }) => !isTaken);
    if (refusal) throw tooManyFailures(refusal.retryAfterS);
    const answer = await check();
    isWrong = answer === null;
    return answer;
  } finally {
    if (!isWrong) await Promise.all(taken.map((one) => one.giveBack()));
  }
}

function countersOf(by: Guesser) {
  const limit = FAILURES_PER_ACCOUNT_MAX;
  if ('accountId' in by) return [{ scope: 'current-password', subject: by.accountId, limit }];
  if ('device' in by) return [{ scope: 'sign-in-device', subject: by.device, limit }];
  return [
    { scope: 'sign-in-address', subject: subjectOfAddress(by.clientAddress), limit: FAILURES_PER_ADDRESS_MAX },
    { scope: 'sign-in-account', subject: by.email, limit },
  ];
}

function tooManyFailures(retryAfterS: number): TooSoonError {
  return new TooSoonError(
    `There were too many wrong passwords. Try again in ${describeWait(retryAfterS)}, or use a one-time link, by mail or from the operator, which works at once.`,
    retryAfterS,
  );
}
