import { ServiceError } from '../../platform/errors.js';
import { seeOther } from '../../platform/http/answer.js';
import { fieldOf, paramOf, parseNumber, requestedSite, sendPage } from '../server/routes.js';
import type { AddRoutes, WebContext } from '../server/page.js';
import { noIndex, sendDocument, sendReportAsMarkdown } from '../server/send-text.js';
import { addressOf, PUBLIC_PATHS } from '../server/paths.js';
import { findBadge, findReport, type Publication, publish, withdraw } from '../../app/publications/publications.js';
import { drawBadge } from './badge.js';
import { reportPage } from './report-pages.js';

/** A picture opened directly loads nothing and runs nothing; any page may embed it. */
const BADGE_POLICY = "default-src 'none'; sandbox";

/** Serves published badges and reports to anyone with the address; their owners publish and withdraw them. */
export const addPublications: AddRoutes = (router, deps) => {
  const { db } = deps;
  router.get(PUBLIC_PATHS.badge(':token'), async (ctx) => {
    const badge = found(await findBadge(db, paramOf(ctx, 'token')));
    ctx.set('Content-Security-Policy', BADGE_POLICY);
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    sendDocument(ctx, {
      type: 'image/svg+xml; charset=utf-8',
      text: drawBadge(badge),
      // A score in a shared cache may be five minutes old.
      cacheControl: 'public, max-age=300',
    });
  });

  router.get(PUBLIC_PATHS.report(':token'), async (ctx) => {
    const token = paramOf(ctx, 'token');
    const published = found(await findReport(db, token));
    noIndex(ctx);
    sendPage(ctx, reportPage(published, token));
  });

  router.get(PUBLIC_PATHS.reportMarkdown(':token'), async (ctx) => {
    const { report } = found(await findReport(db, paramOf(ctx, 'token')));
    sendReportAsMarkdown(ctx, found(report), 'Published by the owner of the site. Run of');
  });

  router.post(addressOf.publish(':siteId'), async (ctx) => {
    const report = requestedReport(ctx);
    const token = await publish(deps, requestedSite(ctx), report);
    const automation = addressOf.automation(requestedSite(ctx).siteId);
    // The page of a run does not show the address of its report.
    seeOther(ctx, report.number === null ? `${automation}?notice=report-on#sharing` : PUBLIC_PATHS.report(token));
  });

  router.post(addressOf.withdraw(':siteId'), async (ctx) => {
    await withdraw(deps, requestedSite(ctx), requestedReport(ctx));
    seeOther(ctx, `${addressOf.automation(requestedSite(ctx).siteId)}?notice=report-off#sharing`);
  });
};

/** @throws ServiceError run_not_found */
function requestedReport(ctx: WebContext): Publication {
  const text = fieldOf(ctx, 'number');
  const number = text === '' ? null : parseNumber(text);
  if (number === null && text !== '') throw new ServiceError('run_not_found');
  return { kind: 'report', number };
}

function found<T>(value: T | null): T {
  if (value === null) throw new ServiceError('not_found');
  return value;
}
