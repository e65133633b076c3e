import { Refusal } from './errors.js';

/**
 * Input of an operator or of an account's holder that cannot be taken. The message is a sentence that says what is wrong
 * and what to do; it is safe to show (a command line prints it and exits with 2, a form shows it beside the field).
 */
export class InputError extends Refusal {
  override readonly name: string = 'InputError';

  /** @param field the name of the input at fault, where a form has several */
  constructor(
    message: string,
    readonly field?: string,
    retryAfterS?: number,
  ) {
    const isTooSoon = retryAfterS !== undefined;
    super(isTooSoon ? 429 : 422, isTooSoon ? 'overloaded' : 'bad_request', message, { retryAfterS });
  }
}

/** A limit of what one may ask for in a while is reached: nothing is wrong but the time. */
export class TooSoonError extends InputError {
  override readonly name = 'TooSoonError';
  declare readonly retryAfterS: number;

  /** @param retryAfterS whole seconds until it is worth another try, at least 1 */
  constructor(message: string, retryAfterS: number) {
    super(message, undefined, retryAfterS);
  }
}

/** How long to wait, for the message of such an error: `a minute`, `12 minutes`. */
export function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
