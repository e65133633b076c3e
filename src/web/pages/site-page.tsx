import type { JSX } from 'preact';
import type { OwnSite, SiteNote } from '../../app/sites/site.js';
import { startRecheck } from '../../app/triage/rechecks.js';
import { ServiceError } from '../../platform/errors.js';
import { seeOther } from '../../platform/http/answer.js';
import { RateLimitError } from '../../platform/input-error.js';
import { WAITING_PINS } from '../../scanner/report/pins.js';
import type { ScanProgress } from '../../scanner/report/progress.js';
import { ErrorSummary } from '../html/form.js';
import { Icon } from '../html/icons.js';
import { PinGroups } from '../html/pins.js';
import { Group } from '../html/page-header.js';
import { Progress, ProgressFound } from '../html/progress.js';
import { paramOf, type RouteContext } from '../server/context.js';
import { addForm, type FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { loadOwnSite, requestedSite } from '../server/requested-site.js';
import { addressOf } from '../server/site-paths.js';
import { QueuedRun } from './automation-schedule.js';
import { loadOwnReport, reportPage, RunNow } from './run-report.js';
import { SiteHeader } from './site-header.js';
import { MissingProofNotice } from './site-ownership.js';
import { verifyPage } from './site-verify.js';

const NOTICES = {
  verified: 'The domain is verified.',
};

/** The page of a site: its latest run, with buttons that start a run and repeat a check. */
export const addSitePage: Part = (router, deps) => {
  addForm(router, deps.sendPage, {
    path: '/sites/:siteId/runs',
    shownAt: '/sites/:siteId',
    load: requestedSite,
    async submit(ctx, site) {
      await deps.manualRuns.start(site).catch(explainBudget);
      seeOther(ctx, addressOf.site(site.siteId));
    },
    render: (ctx, _site, errors) => sitePage(ctx, deps, errors),
  });

  addForm(router, deps.sendPage, {
    path: '/sites/:siteId/checks/:checkId',
    shownAt: null,
    load: (ctx) => loadOwnSite(ctx, deps),
    async submit(ctx, site) {
      const checkId = paramOf(ctx, 'checkId');
      await startRecheck(deps, site, checkId);
      seeOther(ctx, `${addressOf.site(site.id)}#${encodeURIComponent(checkId)}`);
    },
    render: (ctx, _site, errors) => sitePage(ctx, deps, errors),
  });
};

function explainBudget(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'daily_runs_exceeded') throw error;
  throw new RateLimitError(
    'You have used all of today’s manual runs. They renew at 00:00 UTC.',
    error.retryAfterS ?? 1,
  );
}

/** @throws SignInNeeded; ServiceError site_not_found, also for another account's site */
async function sitePage(ctx: RouteContext, deps: PartDeps, errors: FieldErrors | null): Promise<Page> {
  const { ownership, manualRuns } = deps;
  const asked = requestedSite(ctx);
  // Reads running runs before the site: one that ends in between is then its latest run.
  const { manual: live, automatic: queued } = await manualRuns.pendingRuns(asked);
  const site = await deps.sites.getOwn(asked);
  const now = deps.clock.now();
  if (site.verifiedAt === null) return verifyPage({ site, ways: await ownership.instructions(site), errors, now });
  if (live?.state === 'running') return runningPage(site, deps.siteNotes?.get(site.id), live.progress);
  const failure = live?.state === 'failed' ? live.message : null;
  const ways = site.missingProof && (await ownership.instructions(site));
  const notices = (
    <>
      <ErrorSummary errors={errors ?? (failure === null ? null : { '': failure })} />
      {ways && <MissingProofNotice site={site} ways={ways} now={now} />}
      <QueuedRun siteId={site.id} queued={queued} now={now} />
    </>
  );
  const page = await latestRunPage(ctx, deps, site, notices);
  const title = `Readiness of ${site.hostname}`;
  return {
    ...page,
    title: failure === null ? title : `Error: ${title}`,
    notices: NOTICES,
    isLive: page.isLive || queued !== null,
  };
}

type RunPage = Omit<Page, 'title'> & { readonly isLive: boolean };

/** A verified site without a running run. */
async function latestRunPage(ctx: RouteContext, deps: PartDeps, site: OwnSite, notices: JSX.Element): Promise<RunPage> {
  const { history, clock, siteNotes } = deps;
  const { id } = site;
  const now = clock.now();
  const header = { site, note: siteNotes?.get(id), at: addressOf.site(id) };
  const [run, budget] = await Promise.all([history.latest(site), history.manualBudget(site)]);
  if (run === null) {
    const lead = 'A run visits the site as an AI agent would, and takes less than a minute.';
    const actions = <RunNow siteId={id} budget={budget} />;
    return {
      isLive: false,
      header: (
        <SiteHeader {...header} title="No run yet" lead={lead} actions={actions}>
          <PinGroups groups={WAITING_PINS} />
        </SiteHeader>
      ),
      main: (
        <div class="w over-text">
          {notices}
          <NextSteps siteId={id} title="Next" />
        </div>
      ),
    };
  }
  const own = await loadOwnReport(deps, site, run);
  const { view, pending } = own;
  const actions = (
    <>
      <a class="btn quiet" href={addressOf.automation(id)}>
        <Icon name="link" />
        Share
      </a>
      {view.gap === null && <RunNow siteId={id} budget={budget} />}
    </>
  );
  return {
    isLive: pending !== null,
    ...(pending !== null && { reloadAt: toggledUrl(ctx, `#${pending}`) }),
    ...reportPage(own, {
      ...{ header: { ...header, actions }, budget, notices, now },
    }),
  };
}

/** A browser only scrolls to an address that differs in nothing but the fragment, so this adds or drops a question mark. */
function toggledUrl({ path, url }: RouteContext, fragment: string): string {
  return `${path}${url.includes('?') ? '' : '?'}${fragment}`;
}

/** A site during its run: what it has found so far. */
function runningPage(site: OwnSite, note: SiteNote | undefined, progress: ScanProgress): Page {
  const isFirst = site.latestNumber === 0;
  return {
    title: `Run in progress, ${site.hostname}`,
    notices: NOTICES,
    isLive: true,
    reloadAt: addressOf.site(site.id),
    header: (
      <SiteHeader site={site} note={note} at={addressOf.site(site.id)}>
        <Progress progress={progress} title={isFirst ? 'First run' : `Run ${site.latestNumber + 1}`}>
          You may leave this page. The run continues, and takes less than a minute.
        </Progress>
      </SiteHeader>
    ),
    main: (
      <div class="w over-text">
        <ProgressFound progress={progress} />
        {isFirst && <NextSteps siteId={site.id} title="While you wait" />}
      </div>
    ),
  };
}

/** What to set up before the first run, or during it. */
function NextSteps({ siteId, title }: { readonly siteId: string; readonly title: string }): JSX.Element {
  return (
    <Group title={title} meaning="set up once">
      <ul>
        <li>
          <a href={addressOf.automation(siteId)}>Run it every week, and after each deployment</a>
        </li>
        <li>
          <a href="/alerts">Set up alerts</a>
        </li>
        <li>
          <a href="/sites/new">Add your other sites</a>
        </li>
      </ul>
    </Group>
  );
}
