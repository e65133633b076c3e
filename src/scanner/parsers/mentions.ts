/** More than a text repeats one path for a reason. */
const MENTIONS_MAX = 100;
const ADDRESS_CHARS_MAX = 2_048;
/** What an address in prose or Markdown does not contain. */
const DELIMITER = /[\s<>"'`()[\]{}|\\]/;
/** What ends a sentence rather than an address. */
const PUNCTUATION = '.,;:!?*_';

/** The addresses in a text that contain this path: absolute ones, those of a host without a scheme, and paths on the host of `base`. */
export function findMentions(text: string, pathname: string, base: URL): URL[] {
  const urls: URL[] = [];
  let at = text.indexOf(pathname);
  for (let left = MENTIONS_MAX; at >= 0 && left > 0; left -= 1) {
    const url = toUrl(addressAround(text, at), base);
    if (url !== null) urls.push(url);
    at = text.indexOf(pathname, at + pathname.length);
  }
  return urls;
}

function addressAround(text: string, at: number): string {
  let start = at;
  while (start > 0 && at - start < ADDRESS_CHARS_MAX && !DELIMITER.test(text[start - 1] ?? '')) start -= 1;
  const rest = text.slice(at, at + ADDRESS_CHARS_MAX);
  const delimiterAt = rest.search(DELIMITER);
  let end = at + (delimiterAt < 0 ? rest.length : delimiterAt);
  while (end > start && PUNCTUATION.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(start, end);
}

function toUrl(address: string, base: URL): URL | null {
  const isComplete = address.startsWith('/') || /^https?:\/\//i.test(address);
  return URL.parse(isComplete ? address : `https://${address}`, base);
}
