import type { ComponentChildren } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { CHECK_COUNT, describeDone, pinGroupsOf } from '../../scanner/report/pins.js';
import { failuresSoFar, type ScanProgress } from '../../scanner/report/progress.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import { Mark } from './text.js';
import { PinGroups } from './pins.js';
import { Group } from './sections.js';

interface ProgressProps {
  readonly progress: ScanProgress;
  /** What runs, such as `First run`. */
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Number of checks after which screen readers announce progress. */
const SPOKEN_STEP = 6;

/** The progress of a scan next to its pins, for the page header. */
export function Progress({ progress, title, children }: ProgressProps) {
  const { judged, requestCount } = progress;
  const done = judged.length;
  const spoken = done - (done % SPOKEN_STEP);
  return (
    <>
      <p class="hide" role="status">
        {spoken === 0 ? 'It is running.' : `${spoken} of ${CHECK_COUNT} checks done.`}
      </p>
      <div class="verdict">
        <div>
          <p class="score">
            <b class="words num">{`${done} of ${CHECK_COUNT}`}</b>
            <span>
              <span class="soft">checks done</span>
              <strong>{requestCount === 0 ? 'Starting …' : countOf(requestCount, 'request')}</strong>
              <span class="soft">{title}</span>
            </span>
          </p>
          <progress class="hide" aria-label="Checks done" max={CHECK_COUNT} value={done} />
        </div>
        <PinGroups groups={pinGroupsOf(judged)} wordsOf={describeDone} />
        <p class="facts">{children}</p>
      </div>
    </>
  );
}

export function ProgressFound({ progress }: Pick<ProgressProps, 'progress'>) {
  const failures = failuresSoFar(progress);
  if (failures.length === 0) return null;
  return (
    <Group title="Found so far" meaning={countOf(failures.length, 'failure')}>
      <ul class="items">
        {failures.map(({ checkId, headline, severity }) => (
          <li key={checkId}>
            <Mark result="FAIL" />
            <b>{headline}</b>
            <span class="soft small">{SEVERITIES[severity].word}</span>
          </li>
        ))}
      </ul>
    </Group>
  );
}
