import type { ComponentChildren, JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { CHECK_COUNT, describeDone, type Pin, type PinGroup, pinGroupsOf } from '../../scanner/report/pins.js';
import { describeReading, failuresSoFar, runningCheck, type ScanProgress } from '../../scanner/report/progress.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import { Mark } from './icons.js';
import { GroupPins, Lock } from './lock.js';
import { Group } from './mast.js';

interface ProgressProps {
  readonly progress: ScanProgress;
}

/** The screen reader hears of so many more checks at a time. */
const CHECKS_A_WORD = 6;

function Spoken({ progress: { judged } }: ProgressProps): JSX.Element {
  const count = judged.length - (judged.length % CHECKS_A_WORD);
  return (
    <p class="hide" role="status">
      {count === 0 ? 'It is running.' : `${count} of ${CHECK_COUNT} checks done.`}
    </p>
  );
}

/** How far a scan is, for the head of its page; {@link ProgressChecks} shows the checks by name below it. */
export function ProgressBar({ progress, children }: ProgressProps & { readonly children: string }): JSX.Element {
  return (
    <>
      <Spoken progress={progress} />
      <div class="row apart soft reading">
        <div>
          <b class="num">
            {progress.judged.length} of {CHECK_COUNT}
          </b>{' '}
          checks done
        </div>
        <div>{describeReading(progress)}</div>
      </div>
      <Bar progress={progress} />
      <p class="soft small more">{children}</p>
    </>
  );
}

interface ProgressLockProps extends ProgressProps {
  readonly title: string;
  /** What else is to be known. */
  readonly children: ComponentChildren;
}

/** The same next to the pins, where the page's head has them. @param props.title such as `First run` */
export function ProgressLock({ progress, title, children }: ProgressLockProps): JSX.Element {
  return (
    <>
      <Spoken progress={progress} />
      <div class="verdict">
        <div>
          <p class="score">
            <b class="words num">{`${progress.judged.length} of ${CHECK_COUNT}`}</b>
            <span>
              <span class="soft">checks done</span>
              <strong>{describeReading(progress)}</strong>
              <span class="soft">{title}</span>
            </span>
          </p>
          {/* Figures and pins are seen. */}
          <div class="hide">
            <Bar progress={progress} />
          </div>
        </div>
        <Lock groups={pinGroupsOf(progress.judged)} wordsOf={describeDone} />
        <p class="facts">{children}</p>
      </div>
    </>
  );
}

function Bar({ progress: { judged } }: ProgressProps): JSX.Element {
  return (
    <svg
      class="use step"
      viewBox="0 0 1000 6"
      preserveAspectRatio="none"
      role="progressbar"
      aria-label="Checks done"
      aria-valuemin={0}
      aria-valuemax={CHECK_COUNT}
      aria-valuenow={judged.length}
    >
      <rect class="rail0" width="1000" height="6" />
      <rect class="rail1" width={Math.round((1000 * judged.length) / CHECK_COUNT)} height="6" />
    </svg>
  );
}

/** Every check by name, under its pin. */
export function ProgressChecks({ progress }: ProgressProps): JSX.Element {
  return (
    <div class="ticks">
      {pinGroupsOf(progress.judged).map((group) => (
        <CheckGroup key={group.name} group={group} progress={progress} />
      ))}
    </div>
  );
}

function CheckGroup({ group, progress }: ProgressProps & { readonly group: PinGroup }): JSX.Element {
  return (
    <section>
      <GroupPins group={group} />
      <h2>{group.name}</h2>
      <ul>
        {group.pins.map((pin) => (
          <Check key={pin.checkId} pin={pin} progress={progress} />
        ))}
      </ul>
    </section>
  );
}

const NOTES: Readonly<Partial<Record<Pin['state'], string>>> = {
  NOT_APPLICABLE: ' (does not apply)',
  UNDETERMINED: ' (undetermined)',
};

function Check({ pin, progress }: ProgressProps & { readonly pin: Pin }): JSX.Element {
  const { checkId, title, scored, state } = pin;
  const failure = failuresSoFar(progress).find((one) => one.checkId === checkId);
  const note = NOTES[state] ?? (scored ? '' : ' (not scored)');
  return (
    <li class={state === 'WAITING' || state === 'NOT_APPLICABLE' ? 'wait' : undefined}>
      {state === 'WAITING' ? (
        <Waiting isRunning={checkId === runningCheck(progress)} />
      ) : (
        <Mark scored={scored} result={state} />
      )}
      <span>
        {failure?.headline ?? title}
        {note !== '' && <span class="tiny soft">{note}</span>}
      </span>
    </li>
  );
}

function Waiting({ isRunning }: { readonly isRunning: boolean }): JSX.Element {
  return (
    <svg
      class="spin"
      viewBox="0 0 16 16"
      {...(isRunning ? { role: 'img', 'aria-label': 'Running' } : { 'aria-hidden': true })}
    >
      <path class={isRunning ? undefined : 'e'} d={isRunning ? 'M8 2a6 6 0 1 1-6 6' : 'M8 2a6 6 0 1 1-.1 0'} />
    </svg>
  );
}

/** The failures so far, in words. */
export function ProgressFound({ progress }: ProgressProps): JSX.Element | null {
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
