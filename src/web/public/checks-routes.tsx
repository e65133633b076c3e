import { StructuredData } from '../html/structured-data.js';
import { failureHref } from '../html/result.js';
import type { Page } from '../server/page.js';
import { PUBLIC_PAGES } from '../server/public-pages.js';
import type { Part } from '../server/page-part.js';
import { checksPage, formatChecks } from './checks.js';
import { checkListEntity } from './entities.js';
import { failurePage, findFailure, formatFailurePage } from './failure-page.js';
import { prefersMarkdown, sendMarkdown } from './markdown.js';
import type { AddForms } from './forms.js';

/** The page of all checks, and one for each kind of failure. */
export function addChecksRoutes(router: Parameters<Part>[0], deps: Parameters<Part>[1], add: AddForms): void {
  const { publicUrl, checks, sendConstantPage } = deps;
  add(PUBLIC_PAGES.checks, () => ({
    markdown: () => formatChecks(checks, publicUrl),
    html: () => checksPage(checks),
    head: <StructuredData nodes={[checkListEntity(checks, publicUrl)]} />,
    isConstant: true,
  }));
  router.get('/checks/:checkId/:errorType', async (ctx) => {
    const found = findFailure(checks, ctx.params.checkId, ctx.params.errorType);
    if (prefersMarkdown(ctx)) {
      sendMarkdown(ctx, formatFailurePage(found, publicUrl));
      return;
    }
    const { headline } = found.failure;
    sendConstantPage(ctx, failureHref(found.check.id, found.failure.errorType), (): Page => ({
      title: headline,
      description: `${headline}: how to fix it, with an example.`,
      ...failurePage(found),
    }));
  });
}
