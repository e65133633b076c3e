import type { JSX } from 'preact';
import type { RunReport } from '../../runs/history.js';
import type { Schedule } from '../../automation/schedules.js';
import type { AutomaticRun } from '../../runs/manual-runs.js';
import type { EvidenceOfRun } from '../../evidence/evidence.js';
import type { Annotations } from './annotations.js';
import type { OwnershipInstructions } from '../../sites/ownership.js';
import type { Site } from '../../sites/site.js';
import { ErrorSummary } from '../../../web/kit/components/form.js';
import { Notice } from '../../../web/kit/components/text.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ScoreChart } from './chart.js';
import { NextRunLine } from '../../automation/pages/next-run.js';
import { ReportFindings, Verdict } from './report.js';
import { RunTable } from './run-table.js';
import { About } from '../../sites/pages/site-about.js';
import { UnreadProofNotice } from '../../sites/pages/unread-proof.js';

/** How many of the latest runs the chart shows, and how many of them the list. */
const CHART_RUNS = 20;
const LISTED_RUNS = 5;

interface SiteMainProps {
  readonly site: Site;
  /** How to prove the ownership; null while its proof is found. */
  readonly ways: OwnershipInstructions | null;
  /** The latest run; null before the first. */
  readonly report: RunReport | null;
  readonly annotations: Annotations;
  /** The evidence behind the findings of the latest run. */
  readonly evidence: EvidenceOfRun;
  /** Runs by hand. */
  readonly budget: { readonly left: number; readonly limit: number };
  readonly schedule: Schedule;
  readonly queued: AutomaticRun | null;
  readonly errors: FieldErrors | null;
  readonly notice: string | null;
  readonly now: Date;
}

/** A verified site without a running run: the answer first, the evidence after it. */
export function SiteMain(props: SiteMainProps): JSX.Element {
  const { site, ways, report, annotations, evidence, budget, schedule, queued, errors, notice, now } = props;
  const runs = report?.upToHere.slice(0, CHART_RUNS) ?? [];
  return (
    <>
      <ErrorSummary errors={errors} />
      {notice !== null && (
        <Notice>
          <p>{notice}</p>
        </Notice>
      )}
      <Heading>{site.hostname}</Heading>
      {ways && <UnreadProofNotice {...{ site, ways, now }} />}
      {report ? <Verdict siteId={site.id} report={report} annotations={annotations} now={now} /> : <NoRun />}
      <RunNow siteId={site.id} budget={budget} />
      <NextRunLine siteId={site.id} {...{ schedule, queued, now }} />
      {report && <ReportFindings siteId={site.id} {...{ report, annotations, evidence, now }} />}
      {runs.length > 1 && (
        <section>
          <h2>Score over the runs</h2>
          <ScoreChart runs={[...runs].reverse()} />
        </section>
      )}
      {runs.length > 0 && (
        <section>
          <h2>Runs</h2>
          <RunTable siteId={site.id} runs={runs.slice(0, LISTED_RUNS)} caption="The latest runs" now={now} />
          {runs.length > LISTED_RUNS && (
            <p>
              <a href={addressOf.runs(site.id)}>All runs</a>
            </p>
          )}
        </section>
      )}
      <About site={site} now={now} />
    </>
  );
}

function NoRun(): JSX.Element {
  return <p>There is no run yet. A run visits the site as an AI agent would, and takes less than a minute.</p>;
}

function RunNow({
  siteId,
  budget,
}: {
  readonly siteId: string;
  readonly budget: SiteMainProps['budget'];
}): JSX.Element {
  const { left, limit } = budget;
  return (
    <form method="post" action={addressOf.runs(siteId)} class="row">
      <button type="submit" disabled={left === 0} aria-describedby="budget">
        Run now
      </button>
      <span id="budget" class="soft">
        {left} of {limit} manual runs left today{left === 0 && '; they renew at 00:00'} (UTC)
      </span>
    </form>
  );
}
