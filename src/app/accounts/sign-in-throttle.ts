import { describeWait, TooSoonError } from '../../platform/input-error.js';
import { subjectOfAddress } from '../../platform/client-address.js';
import type { RateLimitResult, RateLimits } from '../limits/rate-limits.js';

const WINDOW_MS = 15 * 60_000;
const FAILURES_PER_ACCOUNT_MAX = 10;
const FAILURES_PER_ADDRESS_MAX = 50;

/**
 * Whose password is guessed: by a stranger who gives an e-mail address, with or without an account; or by someone who is
 * signed in. They are counted apart, so that no stranger can keep an account's holder from what the password is asked for again.
 */
export type Guessed = { readonly email: string } | { readonly accountId: string };

/** Slows down password guessing, of one account from anywhere or of many from one address; no one is locked out for good. */
export interface SignInThrottle {
  /**
   * Counts one failure before `check`, so that guesses at the same time are counted too, and takes it back unless the
   * check answers null: a wrong guess.
   * @throws TooSoonError instead of checking when there were too many failures
   */
  guess<T>(of: Guessed, clientAddress: string, check: () => Promise<T | null>): Promise<T | null>;
}

export function createSignInThrottle(limits: RateLimits): SignInThrottle {
  return {
    async guess(of, clientAddress, check) {
      const taken: RateLimitResult[] = [];
      const take = async (scope: string, subject: string, limit: number): Promise<void> => {
        taken.push(await limits.take({ scope, subject, limit, windowMs: WINDOW_MS }));
      };
      let isWrong = false;
      try {
        await take('sign-in-address', subjectOfAddress(clientAddress), FAILURES_PER_ADDRESS_MAX);
        if ('email' in of) await take('sign-in-account', of.email, FAILURES_PER_ACCOUNT_MAX);
        else await take('current-password', of.accountId, FAILURES_PER_ACCOUNT_MAX);
        const refusal = taken.find(({ isTaken }) => !isTaken);
        if (refusal) throw tooManyFailures(refusal.retryAfterS);
        const answer = await check();
        isWrong = answer === null;
        return answer;
      } finally {
        if (!isWrong) await Promise.all(taken.map((one) => one.giveBack()));
      }
    },
  };
}

function tooManyFailures(retryAfterS: number): TooSoonError {
  return new TooSoonError(
    `There were too many wrong passwords. Try again in ${describeWait(retryAfterS)}, or ask the operator for a one-time link, which works at once.`,
    retryAfterS,
  );
}
