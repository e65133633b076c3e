import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { commonCause } from '../../scanner/report/no-score.js';
import { CopyLink } from '../html/fold.js';
import { formatUtc } from '../html/format.js';
import { Icon } from '../html/icons.js';
import { NoScore } from '../html/no-score.js';
import { addressOf } from '../server/site-paths.js';
import type { OwnReport } from './own-report.js';

/** Manual runs of a site today. */
export interface RunBudget {
  readonly left: number;
  readonly limit: number;
}

interface UnjudgedRunProps {
  readonly own: OwnReport;
  /** Left out where no run can be started. */
  readonly budget: RunBudget | undefined;
}

/** A run in which nothing could be judged: the cause, what to do, and the requests behind it. */
export function UnjudgedRun({ own, budget }: UnjudgedRunProps): JSX.Element {
  const { site, run, view, evidence } = own;
  const { number, startedAt } = run.response.run;
  const { findings } = view.scan;
  const cause = commonCause(findings);
  const { checkId } = findings.find(({ detail }) => detail === cause) ?? findings[0] ?? { checkId: '' };
  const shown = evidence.ofRun.get(checkId);
  return (
    <NoScore
      view={view}
      at={formatUtc(startedAt)}
      again={budget ? 'Press Run now.' : <Again siteId={site.id} isLatest={run.nextNumber === null} />}
      actions={
        <>
          {budget && <RunNow siteId={site.id} budget={budget} />}
          <CopyLink href={addressOf.runForAgents(site.id, number)} label="For your agent" />
        </>
      }
    >
      {shown && (
        <p>
          <a href={addressOf.evidence(site.id, number, checkId)}>
            See the {countOf(shown.exchanges.length + shown.omittedCount, 'request')} behind it
          </a>
        </p>
      )}
    </NoScore>
  );
}

/** Leads to where a run can be started, from an older run or a site that is not verified. */
function Again({ siteId, isLatest }: { readonly siteId: string; readonly isLatest: boolean }): JSX.Element {
  if (isLatest) {
    return (
      <>
        <a href={addressOf.verify(siteId)}>Verify the domain</a>, then press Run now.
      </>
    );
  }
  return (
    <>
      <a href={addressOf.site(siteId)}>Start a run</a> if the latest run has no score either.
    </>
  );
}

/** The button that starts a run. Says so if all manual runs of the day are used. */
export function RunNow({ siteId, budget }: { readonly siteId: string; readonly budget: RunBudget }): JSX.Element {
  const isSpent = budget.left === 0;
  return (
    <>
      {isSpent && (
        <span id="budget" class="soft small">
          All {budget.limit} manual runs of today are used. They renew at 00:00 UTC.
        </span>
      )}
      <form method="post" action={addressOf.runs(siteId)}>
        <button type="submit" disabled={isSpent} aria-describedby={isSpent ? 'budget' : undefined}>
          <Icon name="play" />
          Run now
        </button>
      </form>
    </>
  );
}
