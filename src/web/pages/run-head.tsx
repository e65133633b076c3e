import type { JSX } from 'preact';
import { briefCause } from '../../scanner/report/no-score.js';
import type { RunReport } from '../../app/runs/history.js';
import { addressOf } from '../server/site-paths.js';
import { newsOf } from './changes.js';

/** What a run brought, as its title: `Run 8: 1 fixed, 2 now judged`. */
export function describeOutcome({ response: { run, findings }, changes }: RunReport): string {
  const name = `Run ${run.number}`;
  if (run.score === null) return `${name}: ${briefCause(findings) ?? 'nothing judged'}`;
  if (changes === null) return `${name}: the first${run.number === 1 ? '' : ' with a score'}`;
  return `${name}: ${newsOf(changes.comparison).join(', ') || 'nothing new, nothing fixed'}`;
}

interface OlderRunProps {
  readonly siteId: string;
  readonly report: RunReport;
  /** How many of its failures have been fixed since. */
  readonly fixedCount: number;
}

/** A reader of a run that is not the latest has to know it first. */
export function OlderRun({ siteId, report, fixedCount }: OlderRunProps): JSX.Element {
  const { response, latestNumber } = report;
  const failures = response.findings.filter(({ result }) => result === 'FAIL').length;
  return (
    <>
      An older run. {failures > 0 && `${describeFixedSince(fixedCount, failures)} `}
      <a href={addressOf.run(siteId, latestNumber)}>See run {latestNumber}, the latest</a>.
    </>
  );
}

/** `3 of its 6 failures are fixed since.` */
function describeFixedSince(fixed: number, failures: number): string {
  if (failures === 1) return fixed === 1 ? 'Its one failure is fixed now.' : 'Its one failure is not fixed yet.';
  if (fixed === 0) return `None of its ${failures} failures is fixed yet.`;
  if (fixed === failures) return `All of its ${failures} failures are fixed now.`;
  return `${fixed} of its ${failures} failures ${fixed === 1 ? 'is' : 'are'} fixed now.`;
}

/** The runs on either side: the line below the title leads to the latest. */
export function RunNavigation({ siteId, report }: Omit<OlderRunProps, 'fixedCount'>): JSX.Element | null {
  const { previousNumber, nextNumber, latestNumber } = report;
  if (latestNumber === 1) return null;
  return (
    <nav aria-label="Other runs" class="row">
      {previousNumber !== null && (
        <a class="btn quiet" href={addressOf.run(siteId, previousNumber)} rel="prev">
          <span aria-hidden="true">←</span>
          Run {previousNumber}
        </a>
      )}
      {nextNumber !== null && (
        <a class="btn quiet" href={addressOf.run(siteId, nextNumber)} rel="next">
          Run {nextNumber}
          <span aria-hidden="true">→</span>
        </a>
      )}
    </nav>
  );
}
