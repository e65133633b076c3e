import type { Page } from '../server/page.js';
import { PUBLIC_PAGES, type PublicPage } from '../server/public-pages.js';
import { aboutText } from './about.js';
import { AccuracyFigure, accuracyText } from './accuracy.js';
import { checksPage } from './checks.js';
import { homePage } from './home-page.js';
import { longPage } from './long-page.js';
import { type Facts, formatPage, type PageText } from './page-text.js';
import { privacyText } from './privacy.js';
import { referenceText } from './reference.js';
import { toMarkdown } from './to-markdown.js';

type Content = Pick<Page, 'header' | 'main' | 'notices'>;

/** A public page in its two forms. */
interface PublicContent {
  readonly page: PublicPage;
  readonly content: Content;
  readonly markdown: string;
}

/** Every public page, in the order of {@link PUBLIC_PAGES}. */
export function publicContent(facts: Facts): readonly PublicContent[] {
  const drawn = (page: PublicPage, content: Content): PublicContent => {
    const markdown = toMarkdown([content.header, content.main], facts.publicUrl);
    return { page, content, markdown };
  };
  const prose = (page: PublicPage, text: PageText, content: Content = longPage(text)): PublicContent => ({
    page,
    content,
    markdown: formatPage(text, facts.publicUrl),
  });
  const accuracy = accuracyText();
  return [
    drawn(PUBLIC_PAGES.home, homePage(facts)),
    drawn(PUBLIC_PAGES.checks, checksPage(facts.checks)),
    prose(PUBLIC_PAGES.api, referenceText(facts.document, facts.publicUrl)),
    prose(PUBLIC_PAGES.accuracy, accuracy, longPage(accuracy, <AccuracyFigure body={accuracy.body} />)),
    prose(PUBLIC_PAGES.about, aboutText(facts)),
    prose(PUBLIC_PAGES.privacy, privacyText(facts)),
  ];
}

/** The pages but the API reference as Markdown in one text: llms.txt names it. */
export function formatAllPages(facts: Facts): string {
  const pages = publicContent(facts).filter(({ page }) => page !== PUBLIC_PAGES.api);
  return pages.map(({ markdown }) => markdown).join('\n');
}
