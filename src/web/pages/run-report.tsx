import type { ComponentChildren } from 'preact';
import { type EvidenceOfRun, evidenceOfRun } from '../../app/evidence/evidence.js';
import type { RunReport } from '../../app/runs/history.js';
import { type RunChanges, SINCE_RUNS_MAX } from '../../app/runs/run-lines.js';
import { describeStart } from '../../app/runs/run.js';
import type { OwnSite } from '../../app/sites/site.js';
import { listAcceptedFailures } from '../../app/triage/accepted-failures.js';
import { listRechecks } from '../../app/triage/rechecks.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { countScored } from '../../scanner/report/score.js';
import { ActionButton, LinkButton, SidebarPart } from '../html/sections.js';
import { NoScore } from '../html/report-notes.js';
import { ReportBody, ReportHead, SKIP_TO_FINDINGS } from '../html/report.js';
import type { RefusedRecheck } from '../html/finding-view.js';
import { type ReportView, reportView } from '../html/report-view.js';
import { Time } from '../html/text.js';
import type { Page, RouteDeps } from '../server/page.js';
import { addressOf } from '../server/paths.js';
import { describeChanges, ScoreMove } from './compare.js';
import { SiteHeader, type SiteHeaderProps } from '../html/page-header.js';

/** A run with everything that its owner sees. */
export interface OwnReport {
  readonly site: OwnSite;
  readonly run: RunReport;
  readonly view: ReportView;
  readonly evidence: EvidenceOfRun;
  /** Id of a check that is being repeated. */
  readonly pending: string | null;
}

export async function loadOwnReport(
  { db }: Pick<RouteDeps, 'db'>,
  site: OwnSite,
  run: RunReport,
  refused: RefusedRecheck | null = null,
): Promise<OwnReport> {
  const { number, score } = run.response.run;
  const { isLatest } = run;
  const canRecheck = isLatest && site.verifiedAt !== null;
  const [rechecks, accepted] = canRecheck
    ? await Promise.all([listRechecks(db, site), listAcceptedFailures(db, site.id)])
    : ([[], []] as const);
  const evidence = await evidenceOfRun(db, site, number);
  const owner = {
    siteId: site.id,
    number,
    isLatest,
    canRecheck,
    rechecks,
    accepted,
    refused,
    since: run.since,
    sinceMax: SINCE_RUNS_MAX,
    comparison: run.changes?.comparison ?? null,
    evidence: new Set([...evidence.fromRun.keys(), ...evidence.fromRechecks.keys()]),
  };
  const view = reportView(
    { ...run, origin: site.origin, score, findings: run.response.findings },
    {
      agentHref: addressOf.runForAgents(site.id, number),
      owner,
      platform: site.platform,
      platformHref: `${addressOf.settings(site.id)}#platform`,
    },
  );
  const pending = rechecks.find(({ finishedAt }) => finishedAt === null)?.checkId ?? null;
  return { site, run, view, evidence, pending };
}

interface ReportPageProps {
  readonly header: Omit<SiteHeaderProps, 'children'>;
  /** Today's manual runs; null if none can be started here. */
  readonly budget: RunBudget | null;
  readonly notices?: ComponentChildren;
  readonly aside?: ComponentChildren;
}

/** The page of a run, which is also that of its site if it is the latest one. */
export function reportPage(
  own: OwnReport,
  { header, budget, notices, aside }: ReportPageProps,
): Pick<Page, 'header' | 'main' | 'skip'> {
  const { site, run, view, evidence } = own;
  const { number, finishedAt, startedAt, trigger } = run.response.run;
  const path = addressOf.run(site.id, number);
  const isRunPage = header.at !== addressOf.site(site.id);
  const sidebar = (
    <>
      {aside}
      {evidence.fromRun.size + evidence.fromRechecks.size > 0 && (
        <SidebarPart title="Recorded requests">
          <a class="small" href={addressOf.evidenceFile(site.id, number)}>
            Download as HAR
          </a>
        </SidebarPart>
      )}
    </>
  );
  return {
    skip: SKIP_TO_FINDINGS,
    header: (
      <SiteHeader {...header}>
        <ReportHead
          view={view}
          change={run.changes && <ScoreChange siteId={site.id} changes={run.changes} listsChanges={!isRunPage} />}
          facts={
            <>
              <li>
                {!isRunPage && (
                  <>
                    <a href={path}>Run {number}</a>,{' '}
                  </>
                )}
                <b>
                  <Time at={finishedAt ?? startedAt} />
                </b>
                , {describeStart(trigger, run.label)}
              </li>
              {run.changes?.comparison.hasOtherPages && (
                <li>Other pages were sampled than in run {run.changes.from.number}</li>
              )}
            </>
          }
        />
      </SiteHeader>
    ),
    main: (
      <ReportBody
        view={view}
        sidebar={sidebar}
        notices={notices}
        unjudged={<UnjudgedRun own={own} budget={budget} />}
      />
    ),
  };
}

interface ScoreChangeProps {
  readonly siteId: string;
  readonly changes: RunChanges;
  /** False on the page of the run, since its title lists the changes. */
  readonly listsChanges: boolean;
}

function ScoreChange({ siteId, changes: { from, to, comparison }, listsChanges }: ScoreChangeProps) {
  const words = listsChanges ? describeChanges(comparison) : [];
  const more = countScored(to.findings).applicable - countScored(from.findings).applicable;
  return (
    <a href={addressOf.comparison(siteId, from.number, to.number)}>
      {words.map((one) => `${one}, `)}
      {from.score === to.score && 'same score'}
      <ScoreMove points={to.score - from.score} isWorse={comparison.newFailures.length > 0} /> since run {from.number}
      <span class="hide">: compare</span>
      {/* Explains a lower score. */}
      {more > 0 && to.score < from.score && `. ${countOf(more, 'more check')} ${more === 1 ? 'applies' : 'apply'} now`}
    </a>
  );
}

type RunBudget = Awaited<ReturnType<RouteDeps['history']['manualBudget']>>;

/** Shown if nothing could be judged: the cause, how to run again, and the evidence. */
function UnjudgedRun({ own, budget }: { readonly own: OwnReport; readonly budget: RunBudget | null }) {
  const { site, run, view, evidence } = own;
  const { number, startedAt } = run.response.run;
  const { findings } = view.scan;
  const checkId = findings.find(({ detail }) => detail === view.unjudgedReason)?.checkId ?? '';
  const [path, label] = run.isLatest
    ? [addressOf.verify(site.id), 'Verify the domain']
    : [addressOf.site(site.id), 'Go to the latest run'];
  return (
    <NoScore view={view} at={startedAt}>
      {budget ? <RunNow siteId={site.id} budget={budget} /> : <LinkButton href={path} label={label} />}
      {evidence.fromRun.has(checkId) && (
        <LinkButton kind="quiet" href={addressOf.evidence(site.id, number, checkId)} label="Evidence" />
      )}
    </NoScore>
  );
}

/** The button that starts a run, or a sentence if today's manual runs are used up. */
export function RunNow({ siteId, budget }: { readonly siteId: string; readonly budget: RunBudget }) {
  if (budget.left === 0) {
    return (
      <span class="soft small">You have used all {budget.limit} of today’s manual runs. They renew at 00:00 UTC.</span>
    );
  }
  return <ActionButton action={addressOf.runs(siteId)} icon="play" label="Run now" />;
}
