/**
 * Parses a URL, against `base` if it may be relative; null if it is not one. Never use `URL.canParse` elsewhere: on Node 20,
 * after some thousand calls, its compiled form reads the characters from U+0080 to U+00FF as broken UTF-8, and rejects
 * `https://müller.de/`. Here it is called for ASCII only, because a throwing constructor costs more.
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
