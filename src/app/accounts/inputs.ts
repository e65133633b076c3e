import { InputError } from '../../platform/input-error.js';

/** RFC 5321, sections 4.5.3.1.1 and 4.5.3.1.3 (a path of 256 octets holds an address of 254). */
const LOCAL_CHARS_MAX = 64;
const EMAIL_CHARS_MAX = 254;
const EMAIL_SHAPE = /^([^\s@"<>(),:;\\[\]\p{Cc}]+)@([\p{L}\p{N}.-]+\.[\p{L}\p{N}-]{2,})$/u;

/**
 * Parses an e-mail address, and changes it to lower case, so that one address is one account. Checks only its form.
 * @throws InputError
 */
export function parseEmail(input: string): string {
  const email = input.trim().toLowerCase();
  const [, local] = email.length <= EMAIL_CHARS_MAX ? (EMAIL_SHAPE.exec(email) ?? []) : [];
  if (local === undefined || local.length > LOCAL_CHARS_MAX || email.includes('..')) {
    throw new InputError('This is not an e-mail address. Give one such as you@example.com.');
  }
  return email;
}

const NAME_CHARS_MAX = 100;

/**
 * Parses and trims the name of an account or a key.
 * @throws InputError if it is empty, too long, or has control or formatting characters, which could disguise it in a list
 */
export function parseDisplayName(input: string): string {
  const name = input.trim();
  if (name === '') throw new InputError('Give a name.', 'name');
  if (name.length > NAME_CHARS_MAX)
    throw new InputError(`Give a name of at most ${NAME_CHARS_MAX} characters.`, 'name');
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name))
    throw new InputError('Give a name without control characters.', 'name');
  return name;
}
