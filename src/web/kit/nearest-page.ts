import type { Link } from './layout.js';

/** Longer paths are of one site or run: they are not mistyped but pasted. */
const PATH_CHARS_MAX = 40;

/** So many letters may be wrong, missing or too many. */
const TYPOS_MAX = 2;

/** The page that a mistyped path may have meant; null where none is like it. */
export function nearestPage(path: string, pages: readonly Link[]): Link | null {
  if (path.length > PATH_CHARS_MAX) return null;
  const typed = path
    .toLowerCase()
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.(?:html?|php|aspx?)$/, '');
  const near = pages
    .map((page) => ({ page, typos: typosBetween(typed, page[0]) }))
    // Of a short path nothing would be left.
    .filter(({ page: [href], typos }) => typos <= TYPOS_MAX && typos * 3 < href.length)
    .sort((a, b) => a.typos - b.typos);
  return near[0]?.page ?? null;
}

/** How many letters have to be changed, added or left out (Levenshtein distance). */
function typosBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const kept = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
