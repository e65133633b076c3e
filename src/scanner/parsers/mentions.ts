import { ADDRESS_LIMITS } from '../limits.js';

/** What an address in prose or Markdown does not contain. */
const DELIMITERS = /[\s<>"'`()[\]{}|\\]+/;
/** What ends a sentence rather than an address. */
const PUNCTUATION = /[.,;:!?*_]{1,10}$/;

/** Finds the addresses in a text that contain this path: absolute ones, those of a host without a scheme, and paths on the host of `base`. */
export function findMentions(text: string, pathname: string, base: URL): URL[] {
  if (!text.includes(pathname)) return [];
  const words = text
    .split(DELIMITERS)
    .filter((word) => word.includes(pathname) && word.length <= ADDRESS_LIMITS.charsMax);
  return words.slice(0, ADDRESS_LIMITS.mentionsMax).flatMap((word) => {
    const address = word.replace(PUNCTUATION, '');
    const isComplete = address.startsWith('/') || /^https?:\/\//i.test(address);
    return URL.parse(isComplete ? address : `https://${address}`, base) ?? [];
  });
}
