import type { JSX } from 'preact';
import { failureOf, headlineOf, rankOf, titleOf } from '../../scanner/report/failures.js';
import type { Change } from '../../scanner/report/comparison.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import { Mark } from '../html/icons.js';
import { Group } from '../html/mast.js';
import type { EvidenceOfRun } from '../../app/evidence/evidence.js';
import type { RunPair } from '../../app/runs/history.js';
import { addressOf } from '../server/site-paths.js';
import { otherChangesOf } from './changes.js';
import { Counted, StillFailing, Unchanged } from './unchanged.js';
import { OtherPages, Versus } from './versus.js';
import { PIN_WORDS } from '../html/pins.js';
import { Callout } from '../html/text.js';

/** Two runs that differ. */
export type NearestChange = Readonly<Record<'from' | 'to', number>>;

export interface DifferencesProps {
  readonly siteId: string;
  readonly pair: RunPair;
  /** The number that was asked for: another run stands for one without a score. */
  readonly asked: number;
  /** The evidence behind the findings of both runs. */
  readonly evidence: { readonly before: EvidenceOfRun; readonly now: EvidenceOfRun };
  /** What to compare where nothing has changed; null where no run changed anything. Left out otherwise. */
  readonly nearest?: NearestChange | null | undefined;
  readonly now: Date;
}

type Side = 'before' | 'now';

/** Two runs one above the other, then what differs, the worst first, then what still fails. */
export function Differences(props: DifferencesProps): JSX.Element {
  const { pair, asked } = props;
  const { newFailures, fixed, nowJudged, changed, notComparable } = pair.comparison;
  return (
    <div class="w over-text">
      {pair.from.number !== asked && (
        <Callout result="UNDETERMINED">
          <b>Run {asked} has no score.</b> Run {pair.from.number}, the last before it that has one, stands for it.
        </Callout>
      )}
      <OtherPages pair={pair} />
      <Versus pair={pair} now={props.now} />
      {props.nearest !== undefined && <Nearest siteId={props.siteId} nearest={props.nearest} />}
      <Changes {...props} title="Broke" meaning="fails now, passed before" tone="is-f" changes={newFailures} />
      <Changes {...props} title="Fixed" meaning="passes now, failed before" tone="is-p" changes={fixed} />
      <Changes
        {...props}
        title="Now judged"
        meaning="fails where it was not judged before: nothing got worse"
        changes={nowJudged}
      />
      <Otherwise {...props} changes={changed} />
      {notComparable.length > 0 && (
        <Group title="Not comparable" meaning="only one of the two runs has them">
          <p>
            {notComparable.map((checkId, index) => (
              <>
                {index > 0 && ', '}
                {titleOf(checkId)}
              </>
            ))}
          </p>
        </Group>
      )}
      <StillFailing siteId={props.siteId} pair={pair} />
      <Unchanged pair={pair} />
    </div>
  );
}

/** What is worth comparing instead of two runs that are alike. */
function Nearest({ siteId, nearest }: { readonly siteId: string; readonly nearest: NearestChange | null }) {
  if (nearest === null)
    return <Callout>None of the latest runs changed anything. Run the site again after your next change.</Callout>;
  const { from, to } = nearest;
  return (
    <Callout>
      The nearest run that changed something is run {to}.{' '}
      <a href={addressOf.comparison(siteId, from, to)}>
        Compare runs {from} and {to}
      </a>
    </Callout>
  );
}

interface ChangesProps extends DifferencesProps {
  readonly title: string;
  readonly meaning?: string;
  readonly tone?: 'is-f' | 'is-p';
  readonly changes: readonly Change[];
}

function Changes({ title, meaning, tone, changes, ...props }: ChangesProps): JSX.Element | null {
  if (changes.length === 0) return null;
  const named = (
    <span class={tone}>
      <Counted title={title} count={changes.length} />
    </span>
  );
  return (
    <Group title={named} meaning={meaning}>
      {changes
        .toSorted((one, other) => rankOf(one) - rankOf(other))
        .map((change) => (
          <Article key={change.checkId} {...props} change={change} />
        ))}
    </Group>
  );
}

function Article({ change, ...props }: DifferencesProps & { readonly change: Change }): JSX.Element {
  const { checkId } = change;
  const { siteId, pair, evidence } = props;
  const failure = failureOf(change);
  const side: Side = change.now === 'FAIL' ? 'now' : 'before';
  const { number } = side === 'now' ? pair.to : pair.from;
  // Runs of before have no texts: then the heading of the group says all that there is.
  const isTold = [...pair.findings.before, ...pair.findings.now].some(
    (finding) => finding.checkId === checkId && finding.detail !== null,
  );
  const isKept = evidence[side].ofRun.has(checkId);
  return (
    <article class="finding">
      <h3 class="t">{headlineOf(change)}</h3>
      <p class="m">
        <code>{checkId}</code>
        {failure && <span class="chip">{SEVERITIES[failure.severity].word}</span>}
        {isKept ? (
          <a href={addressOf.evidence(siteId, number, checkId)}>
            Evidence and fix<span class="hide">, {checkId}</span>
          </a>
        ) : (
          change.now === 'FAIL' && (
            <a href={`${addressOf.run(siteId, number)}#${checkId}`}>
              How to fix it<span class="hide">, {checkId}</span>
            </a>
          )
        )}
      </p>
      {isTold && (
        <div class="then">
          <Then {...props} change={change} side="before" />
          <Then {...props} change={change} side="now" />
        </div>
      )}
    </article>
  );
}

/** What one of the two runs found, in our own words. */
function Then({
  pair,
  change,
  side,
}: DifferencesProps & { readonly change: Change; readonly side: Side }): JSX.Element {
  const { number } = side === 'now' ? pair.to : pair.from;
  const found = pair.findings[side].find(({ checkId }) => checkId === change.checkId);
  const result = found?.result ?? change[side];
  const isLookedThrough = side === 'before' && result === 'UNDETERMINED' && change.before !== result;
  return (
    <p>
      <b>
        <Mark result={result} isSaid /> Run {number}: {PIN_WORDS[result]}
      </b>
      {found?.detail}
      {isLookedThrough && <> Before that: {PIN_WORDS[change.before]}.</>}
    </p>
  );
}

/** What neither broke nor was fixed takes a line each. */
function Otherwise({ pair, changes }: DifferencesProps & Pick<ChangesProps, 'changes'>): JSX.Element {
  return (
    <>
      {otherChangesOf(changes).map(({ title, changes: ofTitle }) => (
        <Group key={title} title={<Counted title={title} count={ofTitle.length} />}>
          <ul class="items">
            {ofTitle.map((change) => (
              <OtherChange key={change.checkId} pair={pair} change={change} />
            ))}
          </ul>
        </Group>
      ))}
    </>
  );
}

function OtherChange({ pair, change }: { readonly pair: RunPair; readonly change: Change }): JSX.Element {
  const { checkId, title, before, now } = change;
  return (
    <li>
      <Mark result={now} isSaid />
      <span>
        {title ?? titleOf(checkId)}{' '}
        {now === 'UNDETERMINED' && (
          <span class="soft small">{pair.findings.now.find((one) => one.checkId === checkId)?.detail}</span>
        )}
      </span>
      <span class="soft small">
        {PIN_WORDS[before]} → {PIN_WORDS[now]}
      </span>
    </li>
  );
}
