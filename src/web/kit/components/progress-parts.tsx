import type { JSX } from 'preact';
import { describeDone, type Pin, pinGroupsOf, WAITING_PINS } from '../../../scanner/report/pins.js';
import { describeReading, failuresSoFar, runningCheck, type ScanProgress } from '../../../scanner/report/progress.js';
import { SEVERITIES } from '../../../scanner/verdict/failure.js';
import { Mark } from './icons.js';
import { Group } from './mast.js';
import { GroupPins, Lock } from './lock.js';
import { countOf } from '../../../platform/counts.js';

export interface Shown {
  readonly progress: ScanProgress;
}

export const CHECK_COUNT = WAITING_PINS.flatMap(({ pins }) => pins).length;

export function Bar({ progress: { judged } }: Shown): JSX.Element {
  const max = CHECK_COUNT;
  return (
    <svg
      class="use step"
      viewBox="0 0 1000 6"
      preserveAspectRatio="none"
      role="progressbar"
      aria-label="Checks done"
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={judged.length}
    >
      <rect class="rail0" width="1000" height="6" />
      <rect class="rail1" width={Math.round((1000 * judged.length) / max)} height="6" />
    </svg>
  );
}

export function Count({ progress: { judged } }: Shown): JSX.Element {
  return (
    <>
      <b class="num">
        {judged.length} of {CHECK_COUNT}
      </b>{' '}
      checks done
    </>
  );
}

/** The figures alone. */
export function Done({ progress: { judged } }: Shown): JSX.Element {
  return <>{`${judged.length} of ${CHECK_COUNT}`}</>;
}

export function Reading({ progress }: Shown): JSX.Element {
  return <>{describeReading(progress)}</>;
}

export function WholeLock({ progress }: Shown): JSX.Element {
  return <Lock groups={pinGroupsOf(progress.judged)} wordsOf={describeDone} />;
}

/** @param at the place of its group among all */
export function Column({ progress, at }: Shown & { readonly at: number }): JSX.Element {
  const group = pinGroupsOf(progress.judged)[at];
  if (!group) return <></>;
  return (
    <section>
      <GroupPins group={group} />
      <h2>{group.name}</h2>
      <ul>
        {group.pins.map((pin) => (
          <Row key={pin.checkId} {...{ pin, progress }} />
        ))}
      </ul>
    </section>
  );
}

const NOTES: Readonly<Partial<Record<Pin['state'], string>>> = {
  NOT_APPLICABLE: ' (does not apply)',
  UNDETERMINED: ' (undetermined)',
};

function Row({ pin: { checkId, title, scored, state }, progress }: Shown & { readonly pin: Pin }): JSX.Element {
  const failure = failuresSoFar(progress).find((one) => one.checkId === checkId);
  const note = NOTES[state] ?? (scored ? '' : ' (not scored)');
  return (
    <li class={state === 'WAITING' || state === 'NOT_APPLICABLE' ? 'wait' : undefined}>
      {state === 'WAITING' ? (
        <Waiting isRunning={checkId === runningCheck(progress)} />
      ) : (
        <Mark {...{ scored }} result={state} />
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

export function Found({ progress }: Shown): JSX.Element {
  const failures = failuresSoFar(progress);
  if (failures.length === 0) return <></>;
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
