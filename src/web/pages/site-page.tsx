import { useContext } from 'preact/hooks';
import type { AutomaticRun } from '../../app/runs/queued-runs.js';
import { TRIGGER_WORDS } from '../../app/runs/run.js';
import { describeDeadlines, describeMissing } from '../../app/sites/missing-proof.js';
import type { OwnSite } from '../../app/sites/site.js';
import { startRecheck } from '../../app/triage/rechecks.js';
import { RateLimitError, ServiceError } from '../../platform/errors.js';
import { seeOther } from '../../platform/http/answer.js';
import { WAITING_PINS } from '../../scanner/report/pins.js';
import type { ScanProgress } from '../../scanner/report/progress.js';
import { Callout, Now, Time } from '../html/text.js';
import { PinGroups } from '../html/pins.js';
import { Group, LinkButton } from '../html/sections.js';
import { Progress, ProgressFound } from '../html/progress.js';
import { rowsOf } from '../html/report-view.js';
import { SiteHeader } from '../html/page-header.js';
import type { AddRoutes, Page, RouteDeps, WebContext } from '../server/page.js';
import { addForm, loadOwnSite, paramOf, requestedSite } from '../server/routes.js';
import { addressOf } from '../server/paths.js';
import { loadOwnReport, reportPage, RunNow } from './run-report.js';
import { verifyPage } from './site-verify.js';

const NOTICES = {
  verified: 'The domain is verified.',
};

/** The page of a site: its latest run, with buttons that start a run and repeat a check. */
export const addSitePage: AddRoutes = (router, deps) => {
  addForm(router, {
    path: '/sites/:siteId/runs',
    shownAt: '/sites/:siteId',
    load: requestedSite,
    async submit(ctx, site) {
      await deps.manualRuns.start(site).catch(explainDailyLimit);
      seeOther(ctx, addressOf.site(site.siteId));
    },
    render: (ctx) => sitePage(ctx, deps),
  });

  addForm(router, {
    path: '/sites/:siteId/checks/:checkId',
    shownAt: null,
    field: RECHECK,
    load: loadOwnSite,
    async submit(ctx, site) {
      const checkId = paramOf(ctx, 'checkId');
      await startRecheck(deps, site, checkId);
      seeOther(ctx, `${addressOf.site(site.id)}#${encodeURIComponent(checkId)}`);
    },
    render: (ctx, _site, errors) => sitePage(ctx, deps, errors?.[RECHECK]),
  });
};

/** Field name of errors that are shown at the check's button. */
const RECHECK = 'check';

function explainDailyLimit(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'daily_runs_exceeded') throw error;
  throw new RateLimitError(
    'You have used all of today’s manual runs. They renew at 00:00 UTC.',
    error.retryAfterS ?? 1,
  );
}

/**
 * @param refusal why the check in the path cannot be repeated now
 * @throws Refusal sign_in_needed; ServiceError site_not_found, also for another account's site
 */
async function sitePage(ctx: WebContext, deps: RouteDeps, refusal?: string): Promise<Page> {
  const request = requestedSite(ctx);
  // Reads running runs before the site, so that a run that ends in between is its latest.
  const { manual, automatic: queued } = await deps.manualRuns.pendingRuns(request);
  const site = await loadOwnSite(ctx);
  if (site.verifiedAt === null) return verifyPage(deps, site);
  if (manual?.state === 'running') return runningPage(site, manual.progress);
  const notices = (
    <>
      <MissingProofNotice site={site} />
      <QueuedRun siteId={site.id} queued={queued} />
    </>
  );
  const failure = manual?.state === 'failed' ? manual.message : undefined;
  const page = {
    title: `${failure === undefined ? '' : 'Error: '}Readiness of ${site.hostname}`,
    error: failure ?? refusal,
    notices: NOTICES,
    isLive: queued !== null,
  };
  const { history } = deps;
  const { id } = site;
  const header = { site, at: addressOf.site(id) };
  const [run, budget] = await Promise.all([history.latest(site), history.manualBudget(site)]);
  if (run === null) {
    const lead = 'A run visits the site as an AI agent would, and takes less than a minute.';
    const actions = <RunNow siteId={id} budget={budget} />;
    return {
      ...page,
      header: (
        <SiteHeader {...header} title="No runs yet" lead={lead} actions={actions}>
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
  const refused = refusal === undefined ? null : { checkId: paramOf(ctx, 'checkId'), message: refusal };
  const own = await loadOwnReport(deps, site, run, refused);
  const { view, pending } = own;
  const actions = (
    <>
      <LinkButton kind="quiet" icon="link" href={`${addressOf.automation(id)}#sharing`} label="Share" />
      {view.unjudgedReason === null && <RunNow siteId={id} budget={budget} />}
    </>
  );
  return {
    ...page,
    ...(pending !== null && { isLive: true, reloadAt: toggledUrl(ctx, `#${pending}`) }),
    // The button of a listed check shows its refusal.
    ...(rowsOf(view).some(({ actions: { refusal } }) => refusal !== null) && { error: failure }),
    ...reportPage(own, { header: { ...header, actions }, budget, notices }),
  };
}

/** Adds or removes a question mark: a browser only scrolls if nothing but the fragment of the URL changes. */
function toggledUrl({ path, url }: WebContext, fragment: string): string {
  return `${path}${url.includes('?') ? '' : '?'}${fragment}`;
}

function runningPage(site: OwnSite, progress: ScanProgress): Page {
  const isFirst = site.latestNumber === 0;
  return {
    title: `Run in progress, ${site.hostname}`,
    notices: NOTICES,
    isLive: true,
    reloadAt: addressOf.site(site.id),
    header: (
      <SiteHeader site={site} at={addressOf.site(site.id)}>
        <Progress progress={progress} title={isFirst ? 'First run' : `Run ${site.latestNumber + 1}`}>
          You can leave this page. The run continues, and takes less than a minute.
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

function NextSteps({ siteId, title }: { readonly siteId: string; readonly title: string }) {
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

function QueuedRun({ siteId, queued }: { readonly siteId: string; readonly queued: AutomaticRun | null }) {
  const now = useContext(Now);
  if (queued === null) return null;
  const { trigger, runAfter, isRunning } = queued;
  const begins =
    Date.parse(runAfter) <= now.getTime() ? (
      'is about to begin'
    ) : (
      <>
        begins <Time at={runAfter} />
      </>
    );
  return (
    <p class="note">
      A run {TRIGGER_WORDS[trigger]} {isRunning ? 'is in progress' : begins}.{' '}
      <a href={addressOf.site(siteId)}>Reload this page</a>
    </p>
  );
}

/** Warns that the proof of ownership is missing, with the deadline. */
function MissingProofNotice({ site }: { readonly site: OwnSite }) {
  const { id, missingProof } = site;
  if (!missingProof) return null;
  return (
    <Callout result="UNDETERMINED" role="status">
      <b>{describeMissing(missingProof)}.</b> We first missed it <Time at={missingProof.since} />.{' '}
      {describeDeadlines(missingProof)} <a href={addressOf.verify(id)}>See what to publish, and check it</a>
    </Callout>
  );
}
