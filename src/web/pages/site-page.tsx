import type { JSX } from 'preact';
import { ServiceError } from '../../platform/errors.js';
import { TooSoonError } from '../../platform/input-error.js';
import { WAITING_PINS } from '../../scanner/report/pins.js';
import { FREQUENCIES, type Frequency } from '../../app/automation/schedule.js';
import type { Schedule } from '../../app/automation/schedules.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import type { OwnershipInstructions } from '../../app/sites/proof.js';
import type { SiteNote } from '../../app/sites/site.js';
import { ActionButton, ErrorSummary } from '../html/form.js';
import { Icon } from '../html/icons.js';
import { Lock } from '../html/lock.js';
import { FINDINGS_ID } from '../html/report.js';
import { Time } from '../html/text.js';
import { DescriptionList, SidebarPart, WithSidebar } from '../html/sidebar.js';
import { seeOther } from '../../platform/http/answer.js';
import { paramOf, type RouteContext } from '../server/context.js';
import { addForm, type FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { loadOwnSite, requestedSite } from '../server/requested-site.js';
import { addressOf } from '../server/site-paths.js';
import { MissingProofNotice, OwnershipWays } from './site-ownership.js';
import { NextRun, QueuedRun } from './automation-schedule.js';
import { loadOwnReport } from './own-report.js';
import { OwnershipRail } from './site-verify.js';
import { RunReportHead, RunReportMain } from './run-report.js';
import { NextSteps, runningPage } from './running-page.js';
import { SiteHeader } from './site-header.js';
import { type RunBudget, RunNow } from './unjudged-run.js';

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
      await deps.rechecks.start(site, checkId);
      seeOther(ctx, `${addressOf.site(site.id)}#${encodeURIComponent(checkId)}`);
    },
    render: (ctx, _site, errors) => sitePage(ctx, deps, errors),
  });
};

function explainBudget(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'daily_runs_exceeded') throw error;
  throw new TooSoonError('You have used all of today’s manual runs. They renew at 00:00 UTC.', error.retryAfterS ?? 1);
}

/** @throws SignInNeeded; ServiceError site_not_found, also for another account's site */
async function sitePage(ctx: RouteContext, deps: PartDeps, errors: FieldErrors | null): Promise<Page> {
  const { ownership, manualRuns, clock } = deps;
  const asked = requestedSite(ctx);
  // Reads running runs before the site: one that ends in between is then its latest run.
  const { manual: live, automatic: queued } = await manualRuns.pendingRuns(asked);
  const site = await deps.sites.getOwn(asked);
  const title = `Readiness of ${site.hostname}`;
  const notices = {
    verified: 'The domain is verified.',
    accepted: 'The failure is accepted. It is listed under “Accepted”.',
    'not-accepted': 'The failure is no longer accepted.',
  };
  const now = clock.now();
  const note = deps.siteNotes?.get(site.id);
  if (site.verifiedAt === null) return { title, ...unverifiedPage(site, await ownership.instructions(site), now) };
  if (live?.state === 'running') return { notices, ...runningPage({ site, progress: live.progress, note, now }) };
  const hasFailed = live?.state === 'failed';
  const ways = site.missingProof && (await ownership.instructions(site));
  const above = (
    <>
      <ErrorSummary errors={errors ?? (hasFailed ? { '': live.message } : null)} />
      {ways && <MissingProofNotice site={site} ways={ways} now={now} />}
      <QueuedRun siteId={site.id} queued={queued} now={now} />
    </>
  );
  const { pending, ...frame } = await verifiedPage(deps, site, above);
  return {
    notices,
    isLive: pending !== null || queued !== null,
    ...(pending !== null && { reloadAt: toggledUrl(ctx, site, pending) }),
    title: hasFailed ? `Error: ${title}` : title,
    ...frame,
  };
}

/** A browser only scrolls to a URL that differs in nothing but the fragment, so this adds or drops a question mark each time. */
function toggledUrl({ url }: RouteContext, site: OwnSite, checkId: string): string {
  return `${addressOf.site(site.id)}${url.includes('?') ? '' : '?'}#${checkId}`;
}

function unverifiedPage(site: OwnSite, ways: OwnershipInstructions, now: Date): Pick<Page, 'header' | 'main'> {
  const lostAt = site.ownershipLostAt;
  const lead =
    lostAt === null ? (
      'Verify that you own the domain, and the first run starts at once.'
    ) : (
      <>
        No longer verified since <Time at={lostAt} now={now} />: we could not find the proof that the domain is yours.
        Its runs are kept, without the evidence that quotes the site, and can start again once it is back.
      </>
    );
  return {
    header: <SiteHeader site={site} at={addressOf.site(site.id)} lead={lead} />,
    main: (
      <WithSidebar rail={<OwnershipRail site={site} />}>
        <OwnershipWays site={site} ways={ways} />
      </WithSidebar>
    ),
  };
}

type Frame = Pick<Page, 'header' | 'main' | 'skip'> & { readonly pending: string | null };

/** A verified site without a running run. */
async function verifiedPage(deps: PartDeps, site: OwnSite, notices: JSX.Element): Promise<Frame> {
  const now = deps.clock.now();
  const { id: siteId } = site;
  const at = addressOf.site(siteId);
  const [run, budget, schedule] = await Promise.all([
    deps.history.latest(site),
    deps.history.manualBudget(site),
    deps.schedules.get(site),
  ]);
  const note = deps.siteNotes?.get(siteId);
  const aside = <SchedulePart siteId={siteId} schedule={schedule} budget={budget} now={now} />;
  if (run === null) return { pending: null, ...pageWithoutRun({ site, note, budget, notices, aside }) };
  const own = await loadOwnReport(deps, site, run);
  const { view, pending } = own;
  return {
    pending,
    skip: [`#${FINDINGS_ID}`, 'Skip to the findings'],
    header: (
      <SiteHeader
        site={site}
        note={note}
        at={at}
        actions={
          <>
            <a class="btn quiet" href={addressOf.automation(siteId)}>
              <Icon name="link" />
              Share
            </a>
            {!view.isUnjudged && <RunNow siteId={siteId} budget={budget} />}
          </>
        }
      >
        <RunReportHead own={own} now={now} isOwnPage={false} />
      </SiteHeader>
    ),
    main: (
      <RunReportMain
        own={own}
        budget={budget}
        now={now}
        aside={aside}
        notices={
          <>
            {notices}
            {view.isAllPassed && <NothingToFix siteId={siteId} schedule={schedule} />}
          </>
        }
      />
    ),
  };
}

interface WithoutRunProps {
  readonly site: OwnSite;
  readonly note: SiteNote | undefined;
  readonly budget: RunBudget;
  readonly notices: JSX.Element;
  readonly aside: JSX.Element;
}

function pageWithoutRun({ site, note, budget, notices, aside }: WithoutRunProps): Pick<Page, 'header' | 'main'> {
  return {
    header: (
      <SiteHeader
        site={site}
        note={note}
        at={addressOf.site(site.id)}
        title="No run yet"
        lead="A run visits the site as an AI agent would, and takes less than a minute."
      >
        <div class="verdict">
          <div>
            <RunNow siteId={site.id} budget={budget} />
          </div>
          <Lock groups={WAITING_PINS} />
        </div>
      </SiteHeader>
    ),
    main: (
      <WithSidebar rail={aside}>
        {notices}
        <NextSteps siteId={site.id} />
      </WithSidebar>
    ),
  };
}

interface SchedulePartProps {
  readonly siteId: string;
  readonly schedule: Schedule;
  readonly budget: RunBudget;
  readonly now: Date;
}

function SchedulePart({ siteId, schedule, budget, now }: SchedulePartProps): JSX.Element {
  const { effective, nextRunAt } = schedule;
  const words = effective === null ? 'none' : FREQUENCIES[effective].label;
  return (
    <SidebarPart title="Schedule">
      <DescriptionList
        facts={[
          ['Runs', <a href={addressOf.automation(siteId)}>{words}</a>],
          effective !== null && nextRunAt !== null && ['Next', <NextRun at={nextRunAt} now={now} />],
          ['Manual runs today', `${budget.limit - budget.left} of ${budget.limit}`],
        ]}
      />
    </SidebarPart>
  );
}

/** Everything passed: offers a schedule and the badge. */
function NothingToFix({ siteId, schedule }: { readonly siteId: string; readonly schedule: Schedule }): JSX.Element {
  const { effective } = schedule;
  return (
    <div class="note is-p row apart">
      <p>
        <b>Agents find, read, trust and use this site.</b>{' '}
        {effective === null
          ? 'It has no schedule, so you get no alert if that changes.'
          : `We check it again ${FREQUENCIES[effective].label}.`}
      </p>
      <div class="row">
        {effective === null && (
          <ActionButton
            action={addressOf.schedule(siteId)}
            icon="clock"
            fields={{ frequency: 'WEEKLY' satisfies Frequency }}
          >
            Run it every week
          </ActionButton>
        )}
        <a class="btn quiet" href={addressOf.automation(siteId)}>
          Add the badge
        </a>
      </div>
    </div>
  );
}
