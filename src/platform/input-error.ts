/**
 * Input of an operator or of an account's holder that cannot be taken. The message is a sentence that says what is wrong
 * and what to do; it is safe to show (a command line prints it and exits with 2, a form shows it beside the field).
 */
export class InputError extends Error {
  override readonly name: string = 'InputError';

  /** @param field the name of the input at fault, where a form has several */
  constructor(
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

/** A limit of what one may ask for in a while is reached: nothing is wrong but the time. */
export class TooSoonError extends InputError {
  override readonly name = 'TooSoonError';

  /** @param retryAfterS whole seconds until it is worth another try, at least 1 */
  constructor(
    message: string,
    readonly retryAfterS: number,
  ) {
    super(message);
  }
}

/** How long to wait, for the message of such an error: `a minute`, `12 minutes`. */
export function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
