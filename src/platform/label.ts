/** In characters. */
export const LABEL_MAX = 100;

const PRINTABLE = /^[ -~]+$/;
const NOT_PRINTABLE = /[^ -~]+/g;
/** A whole or shortened hash of Git or Mercurial: nothing that could be read as somebody's words. */
const HASH = /^[0-9a-f]{7,64}$/i;
const SHORT_HASH_LENGTH = 7;

/** Whether the text can be a name that a caller gives a run: 1 to {@link LABEL_MAX} printable ASCII characters. */
export function isLabel(text: string): boolean {
  return text.length <= LABEL_MAX && PRINTABLE.test(text);
}

/** As much of any text as can be such a name; null: nothing. */
export function labelFrom(text: string): string | null {
  return text.replaceAll(NOT_PRINTABLE, ' ').trim().slice(0, LABEL_MAX).trim() || null;
}

/** The seven digits that a commit is known by, where the text is the hash of one; null for any other. */
export function hashFrom(text: string): string | null {
  return HASH.test(text) ? text.slice(0, SHORT_HASH_LENGTH).toLowerCase() : null;
}

/** The name as it is shown: a hash cut short. */
export function shortLabel(text: string): string {
  return hashFrom(text) ?? text;
}
