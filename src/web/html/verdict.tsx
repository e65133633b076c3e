import type { ComponentChildren, JSX } from 'preact';
import type { Ladder } from '../../scanner/report/gain.js';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { keptPart } from './kept-part.js';
import { Lock, type LockProps } from './lock.js';
import { countPassed, describeAllFixed } from './score.js';

export interface VerdictProps {
  readonly findings: readonly Finding[];
  /** The title and the score in words, at the left of the pins. */
  readonly children: ComponentChildren;
  /** When and how, as items of a list. */
  readonly facts: ComponentChildren;
}

/** The answer: score and facts at the left, each check as a pin at the right, which leads the mouse to its finding. */
export function Verdict({ findings, children, facts }: VerdictProps): JSX.Element {
  return (
    <div class="verdict">
      <div>{children}</div>
      <LinkedLock groups={pinGroupsOf(findings)} />
      <ul class="facts">{facts}</ul>
    </div>
  );
}

/** Its pins lead to their findings. */
const LinkedLock = keptPart(
  ({ groups }: Pick<LockProps, 'groups'>) => <Lock groups={groups} hrefOf={({ checkId }) => `#${checkId}`} />,
  ({ groups }) => groups,
  () => '',
);

/** What the score is made of: a fact below the answer. */
export function Passing({ findings }: Pick<VerdictProps, 'findings'>): JSX.Element {
  return (
    <li>
      <b class="num">{countPassed(findings)}</b> checks that apply pass
    </li>
  );
}

interface AllFixedProps {
  readonly ladder: Ladder | null;
  /** How many scored failures are left to fix. */
  readonly openCount: number;
}

/** What the score would be: `All three fixed: at least 93`; nothing where nothing is left. */
export function AllFixed({ ladder, openCount }: AllFixedProps): JSX.Element | null {
  if (ladder === null || openCount === 0) return null;
  return (
    <>
      {describeAllFixed(openCount)}: {ladder.isAtLeast && 'at least '}
      <b class="num">{ladder.to}</b>
    </>
  );
}

/** What the score is made of, and what it would be. */
export function ScoreFacts({ findings, ...props }: Pick<VerdictProps, 'findings'> & AllFixedProps): JSX.Element {
  const promise = AllFixed(props);
  return (
    <>
      <Passing findings={findings} />
      {promise && <li>{promise}</li>}
    </>
  );
}
