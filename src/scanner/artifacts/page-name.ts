import type { SamplePage } from './pages.js';
import { listSafeText, type SafeText, safeText, term } from './safe-text.js';

type Named = Pick<SamplePage, 'position' | 'origin'>;

/** Names a page by where it was found, since the site chose its URL: "home page", or "page 2 (link 12 of the home page)". */
export function namePage({ position, origin }: Named): SafeText {
  return position === 1 ? term('home page') : safeText`page ${position} (${origin})`;
}

/** The same at the start of a sentence. */
export function namePageFirst({ position, origin }: Named): SafeText {
  return position === 1 ? term('Home page') : safeText`Page ${position} (${origin})`;
}

/** Names a page within a sentence: "the home page", or "page 2 (link 12 of the home page)". */
export function namePageInSentence(page: Named): SafeText {
  return page.position === 1 ? term('the home page') : namePage(page);
}

/** "the home page and pages 2 and 3". */
export function listPages(positions: readonly number[]): SafeText {
  const others = positions.filter((position) => position !== 1).map((position) => safeText`${position}`);
  const named = others.length === 1 ? safeText`page ${listSafeText(others)}` : safeText`pages ${listSafeText(others)}`;
  if (others.length === positions.length) return named;
  return others.length === 0 ? term('the home page') : safeText`the home page and ${named}`;
}
