import { ServiceError } from '../../../platform/errors.js';
import { answer } from '../../../platform/http/answer.js';
import { describeReport } from '../../../scanner/report/describe-report.js';
import { Mark } from '../../../web/kit/components/icons.js';
import { Snippet, Time } from '../../../web/kit/components/text.js';
import { paramOf, type RouteContext, seeOther } from '../../../web/kit/context.js';
import { fieldOf } from '../../../web/kit/form.js';
import { formatMoment, formatUtc } from '../../../web/kit/format.js';
import type { Part, PartDeps } from '../../part.js';
import { addressOf as siteAddressOf } from '../../sites/pages/addresses.js';
import { parseNumber, siteAsked } from '../../sites/pages/asked-site.js';
import { isSiteHostname } from '../../sites/site-input.js';
import type { Picture, SharedReport } from '../shared-report.js';
import { addressOf } from './addresses.js';
import { reportPage } from './report-page.js';
import { RailPart } from '../../../web/kit/components/two.js';

/** The reports that owners publish, at `/reports/`. */
const addPublishedReports: Part = (router, { sharedReports, sendPage, clock }) => {
  const find = async (ctx: RouteContext) => found(await sharedReports.find(paramOf(ctx, 'token')));

  router.get('/reports/:token', async (ctx) => {
    const { report, hostname, pictureTag } = await find(ctx);
    noIndex(ctx);
    sendPage(
      ctx,
      reportPage({
        ...{ report, hostname, pictureTag, path: addressOf.report(paramOf(ctx, 'token')) },
        over: (
          <p class="by">
            <Mark result="PASS" isSaid />
            <span>
              Published by its verified owner
              {report && `, run of ${formatMoment(report.finishedAt, clock.now().toISOString())} UTC`}
            </span>
          </p>
        ),
        what: 'How ready the site is for AI agents, published by its owner.',
      }),
    );
  });

  router.get('/reports/:token/markdown', async (ctx) => {
    const { report } = await find(ctx);
    sendMarkdown(ctx, found(report), 'Published by the owner of the site. Run of');
  });

  router.get('/reports/:token/preview.png', async (ctx) => {
    sendPicture(ctx, await sharedReports.picture(paramOf(ctx, 'token')));
  });
};

/** Results of free scans that somebody shares, at `/results/`. */
const addSharedResults: Part = (router, { sharedResults, sendPage, publicUrl, clock }) => {
  const find = async (ctx: RouteContext) => found(await sharedResults.find(paramOf(ctx, 'token')));

  router.get('/results/:token', async (ctx) => {
    const { report, expiresAt, pictureTag } = await find(ctx);
    const { hostname, finishedAt } = report;
    const path = addressOf.result(paramOf(ctx, 'token'));
    noIndex(ctx);
    sendPage(
      ctx,
      reportPage({
        ...{ report, hostname, pictureTag, path },
        over: (
          <p class="over">
            Result of a free scan, made <Time at={finishedAt} now={clock.now()} />
          </p>
        ),
        scanned: report.origin.replace('https://', ''),
        what: 'How ready the site is for AI agents: the result of a free scan.',
        aside: (
          <RailPart title={`Shared until ${formatMoment(expiresAt, finishedAt)} UTC`}>
            <p class="soft small">Anyone with this link can read the result. It shows the site as it was then.</p>
            <Snippet text={publicUrl + path} label="Link to this result" isLine />
          </RailPart>
        ),
      }),
    );
  });

  router.get('/results/:token/markdown', async (ctx) => {
    sendMarkdown(ctx, (await find(ctx)).report, 'Result of a free scan of');
  });

  router.get('/results/:token/preview.png', async (ctx) => {
    sendPicture(ctx, await sharedResults.picture(paramOf(ctx, 'token')));
  });
};

const addFreeResult: Part = (router, { freeScans, sharedResults }) => {
  router.get('/scan/:hostname/markdown', async (ctx) => {
    sendMarkdown(ctx, await freeResult(ctx, freeScans), 'Result of a free scan of');
  });

  router.post('/scan/:hostname/share', async (ctx) => {
    const token = await sharedResults.share(await freeResult(ctx, freeScans), ctx.ip);
    seeOther(ctx, addressOf.result(token));
  });
};

/** The result of the host in the address, without what is for its own page alone. @throws ServiceError not_found */
async function freeResult(ctx: RouteContext, freeScans: PartDeps['freeScans']): Promise<SharedReport> {
  const hostname = paramOf(ctx, 'hostname');
  const state = isSiteHostname(hostname) ? await freeScans.find(hostname) : null;
  if (state?.state !== 'done') throw new ServiceError('not_found');
  const { origin = `https://${hostname}`, score, finishedAt, findings, gains = [] } = state.scan;
  return { hostname, origin, score, finishedAt, findings, gains };
}

const addOwnersForms: Part = (router, { sharedReports }) => {
  router.post('/sites/:siteId/sharing', async (ctx) => {
    const token = await sharedReports.turnOn(reportAsked(ctx));
    const { number, siteId } = reportAsked(ctx);
    // The report of a run is shown at once: its page has no place for it.
    seeOther(
      ctx,
      number === null ? `${siteAddressOf.automation(siteId)}?notice=report-on#sharing` : addressOf.report(token),
    );
  });

  router.post('/sites/:siteId/sharing/remove', async (ctx) => {
    await sharedReports.turnOff(reportAsked(ctx));
    seeOther(ctx, `${siteAddressOf.automation(siteAsked(ctx).siteId)}?notice=report-off#sharing`);
  });
};

/** @throws SignInNeeded; ServiceError run_not_found */
function reportAsked(ctx: RouteContext) {
  const text = fieldOf(ctx, 'number');
  const number = text === '' ? null : parseNumber(text);
  const site = siteAsked(ctx);
  if (number === null && text !== '') throw new ServiceError('run_not_found');
  return { ...site, number };
}

function found<T>(value: T | null): T {
  if (value === null) throw new ServiceError('not_found');
  return value;
}

/** In addition to the page's own word: pictures and texts have no head. */
function noIndex(ctx: RouteContext): void {
  ctx.set('X-Robots-Tag', 'noindex');
}

function sendMarkdown(ctx: RouteContext, report: SharedReport, what: string): void {
  noIndex(ctx);
  ctx.set('Content-Type', 'text/markdown; charset=utf-8');
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.body = describeReport(report, `${what} ${formatUtc(report.finishedAt)}.`);
}

/** For pages of any origin, which show it next to a link. */
function sendPicture(ctx: RouteContext, picture: Picture | null): void {
  const { png, etag } = found(picture);
  noIndex(ctx);
  ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  ctx.set('Cache-Control', 'public, max-age=300');
  ctx.set('ETag', etag);
  answer(ctx, 200, 'image/png', png);
}

export const PAGES: readonly Part[] = [addPublishedReports, addSharedResults, addFreeResult, addOwnersForms];
