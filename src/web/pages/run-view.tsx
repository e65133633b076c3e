import type { ComponentChildren, JSX } from 'preact';
import { commonCause } from '../../scanner/report/no-score.js';
import { hasMoved } from '../../scanner/verdict/note.js';
import type { RunReport } from '../../app/runs/history.js';
import { addressOf as freeScanAddressOf } from '../public/free-scan-addresses.js';
import { formatUtc } from '../html/format.js';
import { CopyLink } from '../html/fold.js';
import { NoScore } from '../html/no-score.js';
import { HeadNotes } from '../html/notes.js';
import { Legend } from '../html/pins.js';
import { RailPart, Two } from '../html/two.js';
import { addressOf } from '../server/site-paths.js';
import { Requests } from './requests.js';
import { RunNow } from './run-now.js';
import { FilesPart, LastRunsPart, type RunBudget, ScorePart } from './rail.js';
import { ReportFindings, type ReportProps } from './report.js';

interface RunMainProps extends Omit<ReportProps, 'isOwnPage'> {
  /** Where a run can be started here. */
  readonly budget?: RunBudget | undefined;
}

interface RunViewProps extends RunMainProps {
  /** What comes before its findings. */
  readonly notices?: ComponentChildren;
  /** In the rail, what only this page has. */
  readonly aside: ComponentChildren;
}

/** A run with its rail: the page of a site shows its latest run, the page of a run any. */
export function RunView({ notices, aside, ...props }: RunViewProps): JSX.Element {
  const { siteId, report, evidence, later = null } = props;
  return (
    <Two
      rail={
        <>
          <ScorePart runs={report.upToHere} />
          {report.upToHere.length > 1 && <LastRunsPart siteId={siteId} runs={report.upToHere} />}
          {aside}
          <FilesPart siteId={siteId} report={report} hasEvidence={evidence.ofRun.size > 0} />
          {!isWithoutVerdict(report) && later === null && (
            <RailPart title="How to read the pins">
              <Legend states={report.response.findings.map(({ result }) => result)} />
            </RailPart>
          )}
        </>
      }
    >
      {notices}
      <RunMain {...props} />
    </Two>
  );
}

interface PastProps extends Pick<RunMainProps, 'siteId'> {
  readonly number: number;
  readonly score: number | null;
}

/** Whether nothing could be judged, and not because the site is elsewhere. */
export function isWithoutVerdict({ response, notes }: RunReport): boolean {
  return response.run.score === null && !hasMoved(notes);
}

function RunMain({ siteId, report, annotations, evidence, now, budget, ...more }: RunMainProps): JSX.Element {
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
