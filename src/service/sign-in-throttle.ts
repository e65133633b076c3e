import { describeWait, TooSoonError } from '../domain/input-error.js';
import { type RateLimits, subjectOfAddress } from './rate-limits.js';

const WINDOW_MS = 15 * 60_000;
const FAILURES_PER_ACCOUNT_MAX = 10;
const FAILURES_PER_ADDRESS_MAX = 50;

/** Holds up whoever guesses passwords, of one account from anywhere or of many from one address; nobody is locked out for good. */
export interface SignInThrottle {
  /**
   * Counts one failure before `check`, so that guesses at the same time are counted too, and takes it back unless the
   * check answers null: a wrong guess.
   * @param email in lower case; whether it has an account makes no difference
   * @throws TooSoonError instead of checking when there were too many failures
   */
  guess<T>(
    request: { readonly email: string; readonly clientAddress: string },
    check: () => Promise<T | null>,
  ): Promise<T | null>;
}

export function createSignInThrottle(limits: RateLimits): SignInThrottle {
  return {
    async guess({ email, clientAddress }, check) {
      const taken = [
        await limits.take({
          scope: 'sign-in-address',
          subject: subjectOfAddress(clientAddress),
          limit: FAILURES_PER_ADDRESS_MAX,
          windowMs: WINDOW_MS,
        }),
        await limits.take({
          scope: 'sign-in-account',
          subject: email,
          limit: FAILURES_PER_ACCOUNT_MAX,
          windowMs: WINDOW_MS,
        }),
      ];
      const giveBack = () => Promise.all(taken.map((one) => one.giveBack()));
      const refusal = taken.find(({ isTaken }) => !isTaken);
      if (refusal) {
        await giveBack();
        throw tooManyFailures(refusal.retryAfterS);
      }
      let isWrong = false;
      try {
        const answer = await check();
        isWrong = answer === null;
        return answer;
      } finally {
        if (!isWrong) await giveBack();
      }
    },
  };
}

function tooManyFailures(retryAfterS: number): TooSoonError {
  return new TooSoonError(
    `There were too many failed sign-ins. Try again in ${describeWait(retryAfterS)}, or ask the operator for a one-time link, which works at once.`,
    retryAfterS,
  );
}
