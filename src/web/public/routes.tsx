import { pageLinks } from '../server/page-links.js';
import { StructuredData } from '../html/structured-data.js';
import type { RouteContext } from '../server/context.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { markdownPathOf, PUBLIC_PAGES, type PublicPage } from '../server/public-pages.js';
import { AccuracyFigure } from './accuracy.js';
import { addChecksRoutes } from './checks-routes.js';
import { pageEntities } from './entities.js';
import type { AddForms, Forms } from './forms.js';
import { homePage } from './home-page.js';
import { longPage } from './long-page.js';
import { prefersMarkdown, sendMarkdown } from './markdown.js';
import { formatPage, type PageText } from './page-text.js';
import { referenceText } from './reference.js';
import { PROSE_PAGES } from './texts.js';

/** The public pages: HTML for browsers, Markdown for clients that ask for it. */
export const addPublicRoutes: Part = (router, deps) => {
  const add: AddForms = (page, formsFor) => {
    router.get(page.path, async (ctx) => {
      const forms = await formsFor(ctx);
      ctx.set('Link', pageLinks(page));
      if (prefersMarkdown(ctx)) sendMarkdown(ctx, forms.markdown());
      else sendHtml(ctx, page, forms, deps);
    });
    router.get(markdownPathOf(page), async (ctx) => {
      const forms = await formsFor(ctx);
      ctx.set('Link', `${pageLinks(page)}, <${page.path}>; rel="canonical"`);
      sendMarkdown(ctx, forms.markdown());
    });
  };
  for (const [page, textOf] of PROSE_PAGES) {
    const text = textOf(deps);
    const markdown = formatPage(text, deps.publicUrl);
    const forms = { markdown: () => markdown, html: () => htmlOf(page, text, deps), isConstant: true };
    add(page, () => forms);
  }
  const reference = referenceText(deps.document, deps.publicUrl);
  const markdown = formatPage(reference, deps.publicUrl);
  add(PUBLIC_PAGES.api, () => ({
    markdown: () => markdown,
    html: () => longPage(reference),
    isConstant: true,
  }));
  addChecksRoutes(router, deps, add);
};

function htmlOf({ path }: PublicPage, text: PageText, deps: PartDeps): Pick<Page, 'header' | 'main'> {
  if (path === PUBLIC_PAGES.home.path) return homePage(deps);
  return longPage(text, path === PUBLIC_PAGES.accuracy.path && <AccuracyFigure body={text.body} />);
}

function sendHtml(
  ctx: RouteContext,
  page: PublicPage,
  { html, head, isConstant }: Forms,
  { publicUrl, sendPage, sendConstantPage }: PartDeps,
): void {
  const { title, description } = page;
  const make = (): Page => ({
    title,
    description,
    markdownPath: markdownPathOf(page),
    head: (
      <>
        <StructuredData nodes={pageEntities(page, publicUrl)} />
        {head}
      </>
    ),
    ...html(),
  });
  if (isConstant) sendConstantPage(ctx, page.path, make);
  else sendPage(ctx, make());
}
