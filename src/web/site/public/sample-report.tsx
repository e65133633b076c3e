import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import type { Check } from '../../../scanner/verdict/check.js';
import { pinGroupsOf } from '../../../scanner/report/pins.js';
import { scoreOf } from '../../../scanner/report/score.js';
import { SEVERITIES } from '../../../scanner/verdict/failure.js';
import type { ErrorType, Result } from '../../../scanner/verdict/vocabulary.js';
import { Mark } from '../../kit/components/icons.js';
import { HostName, Score } from '../../kit/components/mast.js';
import { Pins } from '../../kit/components/pins.js';
import { failureHref } from '../../kit/components/result.js';
import { describeCounting } from '../../kit/components/score.js';

const HOST = 'kilnstreet.example';

/** What fails on the sample's site, in the order in which to fix it, and where it was seen. */
const FAILURES: readonly (readonly [checkId: string, errorType: ErrorType, seen: string])[] = [
  ['C-BOT-01', 'BLOCKED', 'line 6'],
  ['C-LLMS-03', 'DEAD_LINK', 'lines 9 and 10'],
  ['C-SD-02', 'SCHEMA_MISMATCH', 'home page, block 1'],
  ['C-MD-01', 'NO_NEGOTIATION', '3 pages asked'],
];

/** What is neither passed nor among the failures above. */
const OTHERS: Readonly<Partial<Record<string, Result>>> = {
  'C-WK-01': 'NOT_APPLICABLE',
  'C-WK-02': 'NOT_APPLICABLE',
  'C-WK-03': 'UNDETERMINED',
  'C-FWD-01': 'FAIL',
};

/** The sample's run once the first failures are fixed. */
function sampleAfter(fixedCount: number, checks: readonly Check[]) {
  const failing = new Set(FAILURES.slice(fixedCount).map(([checkId]) => checkId));
  return checks.map(({ id, scored }) => ({
    checkId: id,
    scored,
    result: failing.has(id) ? ('FAIL' as const) : (OTHERS[id] ?? 'PASS'),
  }));
}

/** What a report looks like: an invented site, the words of the registry, and the arithmetic of a real run. */
export function SampleReport({ checks }: { readonly checks: readonly Check[] }): JSX.Element {
  const findings = sampleAfter(0, checks);
  return (
    <section class="slip" aria-label="A sample report">
      <div class="row apart">
        <b>
          <HostName name={HOST} />
        </b>
        <span class="soft small">sample report</span>
      </div>
      <Score
        score={scoreOf(findings)}
        words={`${countOf(FAILURES.length, 'thing')} to fix`}
        change={describeCounting(findings)}
      />
      <Pins groups={pinGroupsOf(findings)} size="pins-l" isMoving />
      <ol>
        {FAILURES.map((failure, index) => (
          <SampleFailure key={failure[0]} failure={failure} index={index} checks={checks} />
        ))}
      </ol>
      <p class="soft small more">
        All {FAILURES.length} fixed: <b class="num">{scoreOf(sampleAfter(FAILURES.length, checks))}</b>
      </p>
    </section>
  );
}

interface SampleFailureProps {
  readonly failure: (typeof FAILURES)[number];
  readonly index: number;
  readonly checks: readonly Check[];
}

function SampleFailure(props: SampleFailureProps): JSX.Element | null {
  const {
    failure: [checkId, errorType, seen],
    index,
    checks,
  } = props;
  const known = checks.find(({ id }) => id === checkId)?.failures[errorType];
  if (!known) return null;
  const gain = (scoreOf(sampleAfter(index + 1, checks)) ?? 0) - (scoreOf(sampleAfter(index, checks)) ?? 0);
  return (
    <li>
      <Mark result="FAIL" />
      <a href={failureHref(checkId, errorType)}>{known.headline}</a>
      <span class="num soft">+{gain}</span>
      <small>
        {SEVERITIES[known.severity].word} · {seen}
      </small>
    </li>
  );
}
