import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Change } from '../../scanner/report/comparison.js';
import { failureOf, headlineOf, rankOf } from '../../scanner/report/failures.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { Mark } from '../html/icons.js';
import { Group } from '../html/mast.js';
import type { RunPair } from '../../app/runs/history.js';
import { addressOf } from '../server/site-paths.js';
import { describeSince } from './changes.js';

/** A group's title, and how many it has. */
export function Counted({ title, count }: { readonly title: string; readonly count: number }): JSX.Element {
  return (
    <>
      {title} <span class="num">{count}</span>
    </>
  );
}

interface StillFailingProps {
  readonly siteId: string;
  readonly pair: RunPair;
}

/** What fails in both runs, the worst first. */
export function StillFailing({ siteId, pair }: StillFailingProps): JSX.Element | null {
  const failing = pair.comparison.unchanged
    .filter(({ now }) => now === 'FAIL')
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  if (failing.length === 0) return null;
  const sinceOf = ({ checkId }: Change): string => describeSince(pair.since.get(checkId));
  // What is the same of all is said once.
  const [since = '', ...others] = new Set(failing.map(sinceOf));
  const isSame = failing.length > 1 && others.length === 0;
  const isScored = ({ checkId }: Change): boolean =>
    !pair.findings.now.some((finding) => finding.checkId === checkId && !finding.scored);
  const weightOf = (change: Change): string[] => {
    if (!isScored(change)) return ['Not scored'];
    const severity = failureOf(change)?.severity;
    return severity === undefined ? [] : [SEVERITIES[severity].word];
  };
  return (
    <Group
      title={<Counted title="Still failing" count={failing.length} />}
      meaning={isSame ? `in both runs, ${since}` : 'in both runs'}
    >
      <ul class="items">
        {failing.map((change) => (
          <li key={change.checkId}>
            <Mark result="FAIL" scored={isScored(change)} />
            <span>
              <a href={`${addressOf.run(siteId, pair.to.number)}#${change.checkId}`}>{headlineOf(change)}</a>
              {change.errorBefore && (
                <span class="soft small">
                  {' '}
                  Before, it failed differently: {headlineOf({ ...change, errorType: change.errorBefore })}.
                </span>
              )}
            </span>
            <span class="soft small">{[...weightOf(change), ...(isSame ? [] : [sinceOf(change)])].join(', ')}</span>
          </li>
        ))}
      </ul>
    </Group>
  );
}

/** What both runs found alike and needs nothing, in numbers. */
export function Unchanged({ pair }: { readonly pair: RunPair }): JSX.Element | null {
  const count = (result: Result): number => pair.comparison.unchanged.filter(({ now }) => now === result).length;
  const [passed, open, others] = [count('PASS'), count('UNDETERMINED'), count('NOT_APPLICABLE')];
  const isUnscored = ({ checkId, now }: Change): boolean =>
    now === 'PASS' && pair.findings.now.some((finding) => finding.checkId === checkId && !finding.scored);
  const unscored = pair.comparison.unchanged.filter(isUnscored).length;
  const words = [
    ...(passed > 0 ? [`${countOf(passed, 'check')} passed${unscored > 0 ? ` (${unscored} not scored)` : ''}`] : []),
    ...(open > 0 ? [`${open} could not be determined`] : []),
    ...(others > 0 ? [`${others} ${others === 1 ? 'does' : 'do'} not apply`] : []),
  ];
  if (words.length === 0) return null;
  return (
    <Group title="Unchanged">
      <p class="soft">In both runs: {words.join(', ')}.</p>
    </Group>
  );
}
