import { InputError } from '../../platform/input-error.js';

/** RFC 5321, sections 4.5.3.1.1 and 4.5.3.1.3 (a path of 256 octets holds an address of 254). */
const LOCAL_CHARS_MAX = 64;
const CHARS_MAX = 254;
const SHAPE = /^([^\s@"<>(),:;\\[\]\p{Cc}]+)@([\p{L}\p{N}.-]+\.[\p{L}\p{N}-]{2,})$/u;

/**
 * An e-mail address in lower case, so that one address is one account. Only its shape is looked at: whether it is the
 * person's, no pattern can tell.
 * @throws InputError
 */
export function parseEmail(input: string): string {
  const email = input.trim().toLowerCase();
  const [, local] = email.length <= CHARS_MAX ? (SHAPE.exec(email) ?? []) : [];
  if (local === undefined || local.length > LOCAL_CHARS_MAX || email.includes('..')) {
    throw new InputError('This is not an e-mail address. Give one such as you@example.com.');
  }
  return email;
}
