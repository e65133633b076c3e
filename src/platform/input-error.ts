import { Refusal } from './errors.js';

/**
 * Invalid input from an operator or an account holder. The message is a sentence that says what is wrong and what to do. It is
 * safe to show: the command line prints it and exits with 2, a form shows it next to the field.
 */
export class InputError extends Refusal {
  override readonly name: string = 'InputError';

  /** @param field the name of the invalid input, if a form has several */
  constructor(
    message: string,
    readonly field?: string,
    retryAfterS?: number,
  ) {
    const isTooSoon = retryAfterS !== undefined;
    super(isTooSoon ? 429 : 422, isTooSoon ? 'overloaded' : 'bad_request', message, { retryAfterS });
  }
}

/** A rate limit is reached: the input is valid, but it is too early. */
export class RateLimitError extends InputError {
  override readonly name = 'RateLimitError';
  declare readonly retryAfterS: number;

  /** @param retryAfterS whole seconds until another try makes sense, at least 1 */
  constructor(message: string, retryAfterS: number) {
    super(message, undefined, retryAfterS);
  }
}

/** The wait in words, for the message of such an error: `a minute`, `12 minutes`, `11 hours`. */
export function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
