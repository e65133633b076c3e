import { PUBLIC_PAGES, type PublicPage } from '../server/public-pages.js';
import { accuracyText } from './accuracy.js';
import { aboutText } from './about.js';
import { formatChecks } from './checks.js';
import type { Facts } from './facts.js';
import { homeText } from './home.js';
import { formatPage, type PageText } from './page-text.js';
import { privacyText } from './privacy.js';

/** The pages that are prose from end to end. */
export const PROSE_PAGES: readonly (readonly [page: PublicPage, textOf: (facts: Facts) => PageText])[] = [
  [PUBLIC_PAGES.home, homeText],
  [PUBLIC_PAGES.accuracy, accuracyText],
  [PUBLIC_PAGES.about, aboutText],
  [PUBLIC_PAGES.privacy, privacyText],
];

/** The pages that stay the same while the service runs, as Markdown in one text: llms.txt names them. */
export function formatAllPages(facts: Facts): string {
  const pages = PROSE_PAGES.map(([, textOf]) => formatPage(textOf(facts), facts.publicUrl));
  return [...pages, formatChecks(facts.checks, facts.publicUrl)].join('\n');
}
