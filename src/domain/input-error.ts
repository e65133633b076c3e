/**
 * Input of an operator or of an account's holder that cannot be taken. The message is a sentence that says what is wrong
 * and what to do; it is safe to show (a command line prints it and exits with 2, a form shows it beside the field).
 */
export class InputError extends Error {
  override readonly name = 'InputError';
}
