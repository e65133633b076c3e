import { InputError } from '../../platform/input-error.js';

const CHARS_MAX = 100;

/**
 * A name that a person gives to an account or a key, trimmed.
 * @throws InputError when it is empty, too long, or holds control or formatting characters, which could disguise it in a list
 */
export function parseDisplayName(input: string): string {
  const name = input.trim();
  if (name === '') throw new InputError('Give a name.', 'name');
  if (name.length > CHARS_MAX) throw new InputError(`Give a name of at most ${CHARS_MAX} characters.`, 'name');
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name))
    throw new InputError('Give a name without control characters.', 'name');
  return name;
}
