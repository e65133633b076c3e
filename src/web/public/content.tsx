import { readFileSync } from 'node:fs';
import type { Page } from '../server/page.js';
import { PUBLIC_PAGES, type PublicPage } from '../server/paths.js';
import { aboutText, privacyText } from './texts.js';
import { checksPage } from './checks.js';
import { homePage } from './home-page.js';
import { type Facts, formatPage, longPage, type PageText } from './long-page.js';
import { referenceText } from './reference.js';
import { toMarkdown } from './to-markdown.js';

/** Returns the public pages as HTML and Markdown. Each form is created on first use. */
export function publicContent(facts: Facts) {
  const drawn = (page: PublicPage, content: () => Pick<Page, 'header' | 'main' | 'notices'>) => ({
    page,
    content,
    markdown: once(() => toMarkdown(content(), facts.publicUrl)),
  });
  const prose = (page: PublicPage, text: PageText) => ({
    page,
    content: () => longPage(text),
    markdown: once(() => formatPage(text, facts.publicUrl)),
  });
  return [
    drawn(PUBLIC_PAGES.home, () => homePage(facts)),
    drawn(PUBLIC_PAGES.checks, () => checksPage(facts.checks)),
    prose(PUBLIC_PAGES.api, referenceText(facts.document, facts.publicUrl)),
    prose(PUBLIC_PAGES.accuracy, accuracyText()),
    prose(PUBLIC_PAGES.about, aboutText(facts)),
    prose(PUBLIC_PAGES.privacy, privacyText(facts)),
  ];
}

/** What follows is for contributors. */
const FOR_CONTRIBUTORS = '\n## How this page is made\n';

/** The measured accuracy of the checks, without links that only work in a checkout. */
function accuracyText(): PageText {
  // What `make accuracy` wrote into docs/accuracy.md, as the build stores it.
  const stored = readFileSync(new URL('../../../generated/accuracy.md', import.meta.url), 'utf8');
  const [, lead = '', ...rest] = (stored.split(FOR_CONTRIBUTORS)[0] ?? '').trim().split('\n\n');
  const body = rest.join('\n\n').replace(/\[([^[\]]+)\]\(\.\.?\/[^()]*\)/g, '$1');
  return { heading: 'Accuracy', lead, body };
}

/** Returns what makes the text of llms-full.txt: the pages but the API reference as Markdown. */
export function allPagesText(facts: Facts): () => string {
  return once(() => {
    const pages = publicContent(facts).filter(({ page }) => page !== PUBLIC_PAGES.api);
    return pages.map(({ markdown }) => markdown()).join('\n');
  });
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}
