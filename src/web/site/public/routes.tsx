import type { ComponentChildren, JSX } from 'preact';
import { assertReady } from '../../../platform/readiness.js';
import { pageLinks } from '../discovery/page-links.js';
import { Prose } from '../../kit/components/prose.js';
import { ScanForm } from '../../../app/free-scan/pages/scan-form.js';
import { StructuredData } from '../../kit/components/structured-data.js';
import { Notice } from '../../kit/components/text.js';
import { queryOf, type RouteContext } from '../../kit/context.js';
import { Heading } from '../../kit/layout.js';
import type { Kit } from '../../kit/part.js';
import type { SiteDeps, SitePart } from '../deps.js';
import { markdownPathOf, PUBLIC_PAGES, type PublicPage } from '../../kit/public-pages.js';
import { ChecksPage, formatChecks } from './checks.js';
import { checkListEntity, pageEntities } from './entities.js';
import { prefersMarkdown, sendMarkdown } from './markdown.js';
import { FailurePage, findFailure, formatFailurePage } from './failure-page.js';
import { formatPage, type PageText } from './page-text.js';
import { type Status, statusText } from './status.js';
import { PROSE_PAGES } from './texts.js';

/** One page in its two forms; only the requested one is rendered. */
interface Forms {
  markdown(): string;
  html(): ComponentChildren;
  /** More for the `<head>` of the HTML. */
  readonly head?: ComponentChildren;
}

/** The public pages: HTML for browsers, Markdown for clients that ask for it. */
export const addPublicRoutes: SitePart = (router, deps) => {
  const add = (page: PublicPage, formsFor: (ctx: RouteContext) => Forms | Promise<Forms>): void => {
    router.get(page.path, async (ctx) => {
      const forms = await formsFor(ctx);
      ctx.set('Link', pageLinks(page));
      if (prefersMarkdown(ctx)) sendMarkdown(ctx, forms.markdown());
      else sendHtml(ctx, page, forms, deps);
    });
    const twin = markdownPathOf(page);
    if (twin === null) return;
    router.get(twin, async (ctx) => {
      const forms = await formsFor(ctx);
      ctx.set('Link', `${pageLinks(page)}, <${page.path}>; rel="canonical"`);
      sendMarkdown(ctx, forms.markdown());
    });
  };
  for (const [page, textOf] of PROSE_PAGES) {
    const forms = proseForms(page, textOf(deps), deps);
    add(page, (ctx) => {
      return page.path === PUBLIC_PAGES.home.path && queryOf(ctx, 'notice') === 'account-deleted'
        ? { ...forms, html: () => [<AccountDeleted />, forms.html()] }
        : forms;
    });
  }
  const { publicUrl, checks, sendPage } = deps;
  add(PUBLIC_PAGES.checks, () => ({
    markdown: () => formatChecks(checks, publicUrl),
    html: () => <ChecksPage checks={checks} />,
    head: <StructuredData nodes={[checkListEntity(checks, publicUrl)]} />,
  }));
  router.get('/checks/:checkId/:errorType', async (ctx) => {
    const found = await findFailure(checks, ctx.params.checkId, ctx.params.errorType);
    if (prefersMarkdown(ctx)) sendMarkdown(ctx, formatFailurePage(found, publicUrl));
    else {
      const { headline } = found.failure;
      sendPage(ctx, {
        title: headline,
        description: `${headline}: how to fix it, with an example.`,
        main: <FailurePage {...found} />,
      });
    }
  });
  add(PUBLIC_PAGES.status, async () => proseForms(PUBLIC_PAGES.status, statusText(await readStatus(deps)), deps));
};

function proseForms({ path }: PublicPage, text: PageText, { publicUrl }: SiteDeps): Forms {
  const markdown = formatPage(text, publicUrl);
  return {
    markdown: () => markdown,
    html: () => (
      <>
        <Heading lead={text.lead}>{text.heading}</Heading>
        {path === PUBLIC_PAGES.home.path && <ScanForm />}
        <Prose text={text.body} />
      </>
    ),
  };
}

function AccountDeleted(): JSX.Element {
  return <Notice>Your account is deleted, with everything that belonged to it.</Notice>;
}

function sendHtml(
  ctx: RouteContext,
  page: PublicPage,
  { html, head }: Forms,
  { publicUrl, sendPage }: SiteDeps & Kit,
): void {
  const { title, description } = page;
  sendPage(ctx, {
    title,
    description,
    head: (
      <>
        <StructuredData nodes={pageEntities(page, publicUrl)} />
        {head}
      </>
    ),
    main: html(),
  });
}

/** Why the service is not ready is told to no visitor. */
async function readStatus({ readiness, lifecycle, version, clock }: SiteDeps): Promise<Status> {
  const answer = await assertReady(readiness, lifecycle).then(
    () => true,
    () => false,
  );
  return { isReady: answer, version, now: clock.now() };
}
