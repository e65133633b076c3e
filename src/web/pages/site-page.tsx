import type { ComponentChildren, JSX } from 'preact';
import { ServiceError } from '../../platform/errors.js';
import { TooSoonError } from '../../platform/input-error.js';
import { WAITING_PINS } from '../../scanner/report/pins.js';
import { FINDINGS_ID } from '../html/findings.js';
import { ActionButton, ErrorSummary } from '../html/form.js';
import { Icon } from '../html/icons.js';
import { Lock } from '../html/lock.js';
import { Notice, Time } from '../html/text.js';
import { noticeOf, type RouteContext, seeOther } from '../server/context.js';
import { addForm, type FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import { QueuedRun } from './next-run.js';
import { FREQUENCIES, type Frequency } from '../../app/automation/schedule.js';
import type { Schedule } from '../../app/automation/schedules.js';
import type { Part, PartDeps } from '../server/page-part.js';
import type { OwnershipInstructions } from '../../app/sites/proof.js';
import { evidenceOfRun } from '../../app/evidence/evidence.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { addressOf } from '../server/site-paths.js';
import { requestedSite } from '../server/requested-site.js';
import { OwnershipRail, OwnershipWays } from './ownership-ways.js';
import { SiteMast } from './site-mast.js';
import { MissingProofNotice } from './missing-proof.js';
import { readAnnotations } from './annotations.js';
import { AutomationPart, type RunBudget } from './rail.js';
import { ReportHead } from './report.js';
import { Meanwhile, runningPage } from './running-page.js';
import { RunNow } from './run-now.js';
import { isWithoutVerdict, RunView } from './run-view.js';
import { Two } from '../html/two.js';

/** A site's own page: how it stands now, and the button that starts a run. */
export const addSitePage: Part = (router, deps) => {
  addForm(router, deps.sendPage, {
    path: '/sites/:siteId/runs',
    shownAt: '/sites/:siteId',
    load: requestedSite,
    async submit(ctx, asked) {
      await deps.manualRuns.start(asked).catch(explainBudget);
      seeOther(ctx, addressOf.site(asked.siteId));
    },
    render: (ctx, _asked, errors) => sitePage(ctx, deps, errors),
  });
};

function explainBudget(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'daily_runs_exceeded') throw error;
  throw new TooSoonError('You have used all of today’s manual runs. They renew at 00:00 UTC.', error.retryAfterS ?? 1);
}

const NOTICES = {
  verified: 'The domain is verified.',
  accepted: 'The failure is accepted. It is listed under “Accepted”.',
  'not-accepted': 'The failure is not accepted any more.',
};

const NOT_YET = 'Verify that you own the domain, and the first run starts at once.';

function Lost(props: { readonly at: string; readonly now: Date }): JSX.Element {
  return (
    <>
      No longer verified since <Time {...props} />: we could not find the proof that the domain is yours. Its runs are
      kept, without the evidence that quotes the site, and can start again once it is back.
    </>
  );
}

function unverifiedPage(site: OwnSite, ways: OwnershipInstructions, now: Date): Pick<Page, 'mast' | 'main'> {
  const lostAt = site.ownershipLostAt;
  return {
    mast: (
      <SiteMast
        site={site}
        at={addressOf.site(site.id)}
        lead={lostAt === null ? NOT_YET : <Lost at={lostAt} now={now} />}
      />
    ),
    main: (
      <Two rail={<OwnershipRail site={site} />}>
        <OwnershipWays siteId={site.id} ways={ways} />
      </Two>
    ),
  };
}

const NO_RUN = {
  title: 'No run yet',
  lead: 'A run visits the site as an AI agent would, and takes less than a minute.',
};

/** Nothing is known of the site yet: grey pins. */
function NoRun({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="verdict">
      <div>{children}</div>
      <Lock groups={WAITING_PINS} />
    </div>
  );
}

/** @throws SignInNeeded; ServiceError site_not_found, for another account's site too */
export async function sitePage(ctx: RouteContext, deps: PartDeps, errors: FieldErrors | null): Promise<Page> {
  const { ownership, manualRuns, clock } = deps;
  const asked = requestedSite(ctx);
  // First what is under way: a run that ends in between is the latest of the site, which is loaded after.
  const { manual: live, automatic: queued } = await manualRuns.pendingRuns(asked);
  const site = await deps.sites.getOwn(asked);
  const title = `Readiness of ${site.hostname}`;
  const now = clock.now();
  if (site.verifiedAt === null) return { title, ...unverifiedPage(site, await ownership.instructions(site), now) };
  if (live?.state === 'running')
    return runningPage({ site, progress: live.progress, note: deps.siteNotes?.get(site.id), now });
  const problems = errors ?? (live?.state === 'failed' ? { '': live.message } : null);
  const notice = noticeOf(ctx, NOTICES);
  const ways = site.missingProof && (await ownership.instructions(site));
  const { pending, ...frame } = await verifiedPage(
    deps,
    site,
    <>
      <ErrorSummary errors={problems} />
      <Notice>{notice}</Notice>
      {ways && <MissingProofNotice site={site} ways={ways} now={now} />}
      <QueuedRun siteId={site.id} queued={queued} now={now} />
    </>,
  );
  return {
    isLive: pending !== null || queued !== null,
    ...(pending && { reloadAt: hereAgain(ctx, site, pending) }),
    title: live?.state === 'failed' ? `Error: ${title}` : title,
    styles: ['charts.css'],
    ...frame,
  };
}

/**
 * The page again, at the check that is made again: with a question mark and without one in turn, since a browser only scrolls to an address
 * that differs from its own in nothing but the fragment.
 */
function hereAgain({ url }: RouteContext, site: OwnSite, checkId: string): string {
  return `${addressOf.site(site.id)}${url.includes('?') ? '' : '?'}#${checkId}`;
}

/** A verified site without a running run. @param notices what comes before its findings */
async function verifiedPage(deps: PartDeps, site: OwnSite, notices: JSX.Element) {
  const now = deps.clock.now();
  const { id: siteId } = site;
  const [report, budget, schedule] = await Promise.all([
    deps.history.latest(site),
    deps.history.manualBudget(site),
    deps.schedules.get(site),
  ]);
  const findings = report?.response.findings ?? [];
  const annotations = await readAnnotations(deps, site, findings);
  const evidence = await evidenceOfRun(deps.db, site, site.latestNumber);
  const isAllPassed =
    report !== null && findings.every(({ result }) => result === 'PASS' || result === 'NOT_APPLICABLE');
  // Its main part says what to do first, and then has the button.
  const isUnjudged = report !== null && isWithoutVerdict(report);
  const frame = {
    mast: (
      <SiteMast
        site={site}
        {...(report ? {} : NO_RUN)}
        note={deps.siteNotes?.get(siteId)}
        at={addressOf.site(siteId)}
        actions={report ? <SiteActions siteId={siteId} budget={isUnjudged ? null : budget} /> : undefined}
      >
        {report ? (
          <ReportHead {...{ siteId, report, annotations, now }} />
        ) : (
          <NoRun>
            <RunNow siteId={siteId} budget={budget} />
          </NoRun>
        )}
      </SiteMast>
    ),
    main: report ? (
      <RunView
        {...{ siteId, report, annotations, evidence, now, budget }}
        notices={
          <>
            {notices}
            {isAllPassed && report.response.run.score !== null && <NothingToFix siteId={siteId} schedule={schedule} />}
          </>
        }
        aside={<AutomationPart {...{ siteId, schedule, budget, now }} />}
      />
    ) : (
      <Two rail={<AutomationPart {...{ siteId, schedule, budget, now }} />}>
        {notices}
        <Meanwhile siteId={siteId} />
      </Two>
    ),
  };
  const skip = report ? ([`#${FINDINGS_ID}`, 'Skip to the findings'] as const) : undefined;
  return { ...frame, ...(skip && { skip }), pending: annotations.pending };
}

interface SiteActionsProps {
  readonly siteId: string;
  /** Null where a run is started elsewhere on the page. */
  readonly budget: RunBudget | null;
}

function SiteActions({ siteId, budget }: SiteActionsProps): JSX.Element {
  return (
    <>
      <a class="btn quiet" href={addressOf.automation(siteId)}>
        <Icon name="link" />
        Share
      </a>
      {budget && <RunNow siteId={siteId} budget={budget} />}
    </>
  );
}

/** All passed: what keeps it so, and what shows it. */
function NothingToFix({ siteId, schedule }: { readonly siteId: string; readonly schedule: Schedule }) {
  const { effective } = schedule;
  return (
    <div class="note is-p row apart">
      <p>
        <b>Agents find, read, trust and use this site.</b>{' '}
        {effective === null
          ? 'It runs by hand only: you will not hear of a change.'
          : `We look again ${FREQUENCIES[effective].label}.`}
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
