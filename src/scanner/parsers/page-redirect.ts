import { PAGE_LIMITS } from '../limits.js';

/** `0; url=/en/` (HTML standard, "shared declarative refresh steps"): the delay's fraction is skipped, `url=` and quotes may be missing. */
const REFRESH =
  /^\s*(?=[\d.])(\d*)(?:\.[\d.]*)?(?=[;,\s])\s*[;,]?\s*(?:url\s*=\s*)?(?:"(?<double>[^"]*)|'(?<single>[^']*)|(?<bare>.*))/is;
const MOVES = /\blocation(?:\.href)?\s?=[^=]|\blocation\.(?:replace|assign)\(/;

/** Returns the target of a refresh without delay, as a `Refresh` header or the meta element holds it; null if there is none. */
export function instantRefresh(content: string): string | null {
  const match = REFRESH.exec(content);
  if (match === null || Number(match[1]) !== 0) return null;
  const { double, single, bare = '' } = match.groups ?? {};
  return (double ?? single ?? bare).trim() || null;
}

/** True if a short inline script sends the browser to another address. */
export function movesBrowser(script: string): boolean {
  return script.length <= PAGE_LIMITS.movingScriptCharsMax && MOVES.test(script);
}
