/** `0; url=/en/`, as browsers read it: the delay's fraction is skipped, and `url=` and the quotes may be missing. */
const REFRESH = /^\s*(\d*)(?:\.[\d.]*)?\s*[;,]?\s*(?:url\s*=\s*)?["']?([^"']*)/i;
const INLINE_CHARS_MAX = 4_096;
const CONTENT_CHARS_MAX = 4_096;
const MOVES = /\blocation(?:\.href)?\s?=[^=]|\blocation\.(?:replace|assign)\(/;

/** The target of an instant `<meta http-equiv="refresh">` (HTML standard, "shared declarative refresh steps"), else null. */
export function instantRefresh(content: string): string | null {
  if (content.length > CONTENT_CHARS_MAX) return null;
  const [, delay = '', target = ''] = REFRESH.exec(content) ?? [];
  return delay !== '' && Number(delay) === 0 && target.trim() !== '' ? target.trim() : null;
}

/** Whether a short inline script sends the browser to another address. */
export function movesBrowser(script: string): boolean {
  return script.length <= INLINE_CHARS_MAX && MOVES.test(script);
}
