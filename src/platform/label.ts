import { InputError } from './errors.js';

export const LABEL_MAX = 100;

const PRINTABLE = /^[ -~]+$/;
const NOT_PRINTABLE = /[^ -~]+/g;
/** A full Git or Mercurial hash. A shortened one could also be a date or a build number. */
const FULL_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
const HASH = /^[0-9a-f]{7,64}$/i;
const SHORT_HASH_LENGTH = 7;

/** True if the text can name a run: 1 to {@link LABEL_MAX} printable ASCII characters. */
export function isLabel(text: string): boolean {
  return text.length <= LABEL_MAX && PRINTABLE.test(text);
}

/** @throws InputError naming the option for any other text */
export function parseLabel(option: string, text: string): string {
  if (isLabel(text)) return text;
  throw new InputError(`${option}: give 1 to ${LABEL_MAX} printable ASCII characters, such as v2.3.1.`);
}

/** Makes a valid name from any text; null if nothing remains. */
export function labelFrom(text: string): string | null {
  return text.replaceAll(NOT_PRINTABLE, ' ').trim().slice(0, LABEL_MAX).trim() || null;
}

/** Returns the first seven digits of a full or shortened commit hash; null for other text. */
export function shortHash(text: string): string | null {
  return HASH.test(text) ? text.slice(0, SHORT_HASH_LENGTH).toLowerCase() : null;
}

/** Returns the name as pages show it: a full hash is shortened. */
export function shortLabel(text: string): string {
  return FULL_HASH.test(text) ? (shortHash(text) ?? text) : text;
}
