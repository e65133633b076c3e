/** More than a text repeats one path for a reason. */
const MENTIONS_MAX = 100;
const ADDRESS_CHARS_MAX = 4_096;
/** What an address in prose or Markdown does not contain. */
const DELIMITERS = /[\s<>"'`()[\]{}|\\]+/;
/** What ends a sentence rather than an address. */
const PUNCTUATION = /[.,;:!?*_]{1,10}$/;

/** Finds the addresses in a text that contain this path: absolute ones, those of a host without a scheme, and paths on the host of `base`. */
export function findMentions(text: string, pathname: string, base: URL): URL[] {
  if (!text.includes(pathname)) return [];
  const words = text.split(DELIMITERS).filter((word) => word.includes(pathname) && word.length <= ADDRESS_CHARS_MAX);
  return words.slice(0, MENTIONS_MAX).flatMap((word) => {
    const address = word.replace(PUNCTUATION, '');
    const isComplete = address.startsWith('/') || /^https?:\/\//i.test(address);
    return URL.parse(isComplete ? address : `https://${address}`, base) ?? [];
  });
}
