/**
 * The URL that a text is, against `base` where it may be relative; null when it is none. Nobody else asks `URL.canParse`: on
 * Node 20, once it has been called some thousand times, its compiled form reads the characters from U+0080 to U+00FF as broken
 * UTF-8, and says of `https://müller.de/` that it is no URL. It is asked for what is ASCII, since a URL that is thrown costs more.
 */
export function parseUrl(text: string, base?: URL | string): URL | null {
  const isAscii = !/[\u0080-\uffff]/.test(text);
  if (isAscii && !URL.canParse(text, base === undefined ? undefined : String(base))) return null;
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
