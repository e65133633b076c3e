import type { JSX } from 'preact';
import { commonCause } from '../../../scanner/report/no-score.js';
import { hasMoved } from '../../../scanner/verdict/move.js';
import type { LaterRuns, RunReport } from '../../runs/history.js';
import type { Schedule } from '../../automation/schedules.js';
import { FREQUENCIES, type Frequency } from '../../automation/schedule.js';
import type { EvidenceOfRun } from '../../evidence/evidence.js';
import { addressOf as freeScanAddressOf } from '../../free-scan/pages/addresses.js';
import { formatUtc } from '../../../web/kit/format.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { CopyLink } from '../../../web/kit/components/fold.js';
import { NoScore } from '../../../web/kit/components/no-score.js';
import { HeadNotes } from '../../../web/kit/components/notes.js';
import { addressOf } from '../../sites/pages/addresses.js';
import type { Annotations } from './annotations.js';
import { Requests } from './requests.js';
import { RunNow } from './run-now.js';
import type { RunBudget } from './rail.js';
import { ReportFindings } from './report.js';

export interface RunMainProps {
  readonly siteId: string;
  readonly report: RunReport;
  readonly annotations: Annotations | null;
  readonly evidence: EvidenceOfRun;
  readonly now: Date;
  /** Where a run can be started here. */
  readonly budget?: RunBudget;
  /** What became of it, where it is not the latest. */
  readonly later?: LaterRuns | null;
}

interface PastProps extends Pick<RunMainProps, 'siteId'> {
  readonly number: number;
  readonly score: number | null;
}

/** Whether nothing could be judged, and not because the site is elsewhere. */
export function isWithoutVerdict({ response, notes }: RunReport): boolean {
  return response.run.score === null && !hasMoved(notes);
}

/** What a run found, whichever page shows it. */
export function RunMain({ siteId, report, annotations, evidence, now, budget, ...more }: RunMainProps): JSX.Element {
  const { notes, movedTo, response } = report;
  const { run, findings } = response;
  const cause = commonCause(findings);
  const head = <HeadNotes notes={notes} movedTo={movedTo} scanHref={freeScanAddressOf.result} />;
  if (isWithoutVerdict(report)) {
    const { checkId } = findings.find(({ detail }) => detail === cause) ?? findings[0] ?? { checkId: '' };
    const shown = evidence.ofRun.get(checkId);
    return (
      <>
        {head}
        <NoScore
          {...{ findings, notes }}
          at={formatUtc(run.startedAt)}
          {...(more.later?.scored && { past: <Past {...more.later.scored} siteId={siteId} /> })}
          again={budget ? 'Run again.' : <Again siteId={siteId} isLatest={report.nextNumber === null} />}
          actions={
            <>
              {budget && <RunNow siteId={siteId} budget={budget} />}
              <CopyLink href={addressOf.runForAgents(siteId, run.number)} label="For your agent" />
            </>
          }
        >
          {shown && (
            <Requests {...{ origin: report.origin, shown }} href={addressOf.evidence(siteId, run.number, checkId)} />
          )}
        </NoScore>
      </>
    );
  }
  return (
    <>
      {head}
      <ReportFindings {...{ siteId, report, annotations, evidence, now, ...more }} />
    </>
  );
}

/** For a reader of a run without a score who has nothing to do any more: its title says why. */
function Past({ siteId, number, score }: PastProps): JSX.Element {
  return (
    <>
      <a href={addressOf.run(siteId, number)}>Run {number}</a> has a score again, {score}. There is nothing to do.
    </>
  );
}

/** Where the site runs again, from a page that cannot start a run: of an older run, or of a domain that is not verified. */
function Again({ siteId, isLatest }: { readonly siteId: string; readonly isLatest: boolean }): JSX.Element {
  if (isLatest) {
    return (
      <>
        <a href={addressOf.verify(siteId)}>Verify the domain</a>, then run again.
      </>
    );
  }
  return (
    <>
      <a href={addressOf.site(siteId)}>Run again</a>, if the latest run has no score either.
    </>
  );
}

/** All passed: what keeps it so, and what shows it. */
export function NothingToFix({ siteId, schedule }: { readonly siteId: string; readonly schedule: Schedule }) {
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
