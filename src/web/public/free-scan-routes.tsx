import { ServiceError } from '../../platform/errors.js';
import { isSiteHostname } from '../../app/sites/site-input.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { isUnknownHost } from '../../scanner/report/no-score.js';
import { CHECK_COUNT, WAITING_PINS } from '../../scanner/report/pins.js';
import type { ScanProgress } from '../../scanner/report/progress.js';
import { findPlatform } from '../../scanner/verdict/fix-parts.js';
import { ErrorPage } from '../server/errors.js';
import { HostName, PageHeader } from '../html/page-header.js';
import { adaptScan, PLATFORM_FIELD } from '../html/platform-fix.js';
import { Progress, ProgressFound } from '../html/progress.js';
import { FREE_HINT, ScanForm } from '../html/form.js';
import { seeOther } from '../../platform/http/answer.js';
import type { AddRoutes, FieldErrors, Page, RouteDeps, WebContext } from '../server/page.js';
import { addForm, fieldOf, paramOf, queryOf, sendPage } from '../server/routes.js';
import { SCAN_PATHS } from '../server/paths.js';
import { sendForAgents, sendReportAsMarkdown } from '../server/send-text.js';
import { resultPage } from './report-pages.js';

export const addFreeScanRoutes: AddRoutes = (router, deps) => {
  const { freeScans } = deps;
  addForm(router, {
    path: '/scan',
    field: 'site',
    load: (ctx) => fieldOf(ctx, 'site'),
    async submit(ctx, site) {
      const { hostname } = await freeScans.start({ site, clientAddress: ctx.ip });
      seeOther(ctx, SCAN_PATHS.result(hostname));
    },
    render: (_ctx, site, errors) => formPage(site, errors),
  });

  router.get('/scan/:hostname', async (ctx) => {
    sendPage(ctx, await scanPage(ctx, deps));
  });

  router.get('/scan/:hostname/agent', async (ctx) => {
    sendForAgents(ctx, await requestedResult(ctx, deps), requestedPlatform(ctx));
  });

  router.get('/scan/:hostname/markdown', async (ctx) => {
    const scan = await requestedResult(ctx, deps);
    sendReportAsMarkdown(ctx, adaptScan(requestedPlatform(ctx), scan), 'Result of a free scan of');
  });
};

function requestedPlatform(ctx: WebContext) {
  return findPlatform(queryOf(ctx, PLATFORM_FIELD));
}

/** @throws ServiceError not_found for anything but a normalised host name */
function requestedHostname(ctx: WebContext): string {
  const hostname = paramOf(ctx, 'hostname');
  if (!isSiteHostname(hostname)) throw new ServiceError('not_found');
  return hostname;
}

/** Returns the result for the host in the path. @throws ServiceError not_found */
async function requestedResult(ctx: WebContext, { freeScans }: RouteDeps) {
  const hostname = requestedHostname(ctx);
  const found = await freeScans.find(hostname);
  if (found?.state !== 'done') throw new ServiceError('not_found');
  return found.scan;
}

async function scanPage(ctx: WebContext, deps: RouteDeps): Promise<Page> {
  const { freeScans } = deps;
  const hostname = requestedHostname(ctx);
  const found = await freeScans.find(hostname);
  if (found === null) return { ...formPage(hostname, null, NO_RESULT), status: 404 };
  if (found.state === 'failed') return formPage(hostname, { '': found.message });
  if (found.state === 'running') return runningPage(hostname, found.progress);
  if (isUnknownHost(found.scan.findings)) return { ...formPage(hostname, UNKNOWN_HOST), status: 404 };
  const isSignedIn = ctx.state.session !== null;
  return resultPage({ scan: found.scan, platform: requestedPlatform(ctx), deps, isSignedIn });
}

const UNKNOWN_HOST = { site: 'There is no site with this name. Check the spelling.' };
const NO_RESULT = 'There is no recent scan of this site: we store results for an hour. Scan it now.';
const LEAD = `${countOf(CHECK_COUNT, 'check')} of what agents find, read, trust and use. Each failure comes with its fix.`;

/** The form on its own page, after invalid input or without a result. */
function formPage(site: string, errors: FieldErrors | null, lead = LEAD): Page {
  return {
    title: 'Scan a site',
    error: errors?.[''],
    header: null,
    main: (
      <ErrorPage title="Scan a site" lead={lead} pins={WAITING_PINS}>
        <ScanForm hint={FREE_HINT} value={site} errors={errors} />
      </ErrorPage>
    ),
  };
}

function runningPage(hostname: string, progress: ScanProgress): Page {
  return {
    title: `Scan in progress, ${hostname}`,
    isLive: true,
    reloadAt: SCAN_PATHS.result(hostname),
    header: (
      <PageHeader title={<HostName name={hostname} />}>
        <Progress progress={progress} title="Free scan">
          You can leave this page. The scan continues, and its result stays at this address for an hour.
        </Progress>
      </PageHeader>
    ),
    main: (
      <div class="w over-text">
        <ProgressFound progress={progress} />
      </div>
    ),
  };
}
