import type { ComponentChildren, JSX } from 'preact';
import { failureOf, orderFailures } from '../../scanner/report/failures.js';
import { ladderOf, type Gain, type Ladder } from '../../scanner/report/gain.js';
import { SEVERITIES, type Severity } from '../../scanner/verdict/failure.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { Note } from '../../scanner/verdict/note.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { type Actions, FindingRow } from './finding-row.js';
import { FindingLines } from './finding-lines.js';
import { CopyLink, CountedFold } from './fold.js';
import { Group } from './mast.js';
import { Notes } from './notes.js';

/** Where the list of findings begins: a link at the top of the page skips to it. */
export const FINDINGS_ID = 'findings';

export interface FindingsProps {
  /** The site's, for the snippets of its fixes. */
  readonly origin: string;
  readonly findings: readonly Finding[];
  /** Advice alongside them. */
  readonly notes: readonly Note[];
  /** What fixing each failure adds to the score. */
  readonly gains: readonly Gain[];
  /** Where the failures are told to a coding agent; `?check=` names one. */
  readonly agentHref: string;
  /** What is known alongside the finding itself where it did not pass, such as since when it is so. */
  readonly asideOf?: (finding: Finding) => ComponentChildren;
  /** What came of checking it again. */
  readonly outcomeOf?: (finding: Finding) => ComponentChildren;
  /** What can be done about a finding that did not pass: what comes next, and what else. */
  readonly actionsOf?: (finding: Finding) => Actions;
  /** Whether its owner means to leave a failure as it is. */
  readonly isAccepted?: (finding: Finding) => boolean;
  /** Whether a failure is gone, though the scan found it. */
  readonly isFixed?: (finding: Finding) => boolean;
  /** Whether what is gone is so by a later run, which has it in its score. */
  readonly isPast?: boolean;
  /** Whether a row is open from the start; by default that of the first failure. */
  readonly isOpen?: (finding: Finding) => boolean;
  /** Where a finding has a page of its own; by default what needs nothing leads to its check. */
  readonly pageOf?: (finding: Finding) => string;
  /** What brings what is fixed into the score. */
  readonly rescore?: ComponentChildren;
  /** Further folds at the end. */
  readonly children?: ComponentChildren;
}

/** All findings of a scan: what to fix first, what is fixed since, then, folded, the rest. */
export function Findings(props: FindingsProps): JSX.Element {
  const { findings, notes, agentHref, pageOf, isPast = false, children } = props;
  const { open, fixed, accepted } = partFailures(props);
  const ladder = ladderFor(props);
  const isMore = open.some(({ checkId }) => ladder?.rungs.get(checkId)?.isAtLeast);
  const found = (result: Result): readonly Finding[] => findings.filter((finding) => finding.result === result);
  const undetermined = found('UNDETERMINED');
  const of = isPast ? '' : ` of ${open.length + fixed.length}`;
  const gone = <Gone {...props} {...{ ladder, of }} failures={fixed} />;
  return (
    <div data-findings>
      {isPast && gone}
      {open.length > 0 && (
        <>
          <div class="head">
            <h2>
              {isPast ? 'Still to fix' : 'To fix'}{' '}
              <span class="soft num">{isPast ? open.length : countToFix(open)}</span>
            </h2>
            <CopyLink href={agentHref} label="All for your agent" isAll />
          </div>
          <GainsKey ladder={ladder} failures={open} hasFixed={fixed.length > 0} />
        </>
      )}
      <div id={FINDINGS_ID} tabIndex={-1}>
        <BySeverity {...props} {...{ ladder }} failures={open} isFirstOpen />
      </div>
      {!isPast && gone}
      <Notes notes={notes} />
      <div class="sec">
        <FindingLines
          title="Passed"
          findings={found('PASS')}
          pageOf={pageOf}
          isOpen={open.length + fixed.length + undetermined.length === 0}
        />
        <Rows {...props} title="Undetermined" findings={undetermined} />
        <FindingLines title="Do not apply" findings={found('NOT_APPLICABLE')} pageOf={pageOf} />
        <Rows {...props} title="Accepted" findings={accepted} />
        {children}
      </div>
      <p class="soft small more">
        The score is the share of passed checks among those that are scored and apply; each counts the same. What could
        not be determined counts as not passed.
        {isMore && ' “Or more” stands where further checks can be judged then, and may pass.'}
      </p>
    </div>
  );
}

interface GoneProps extends Omit<BySeverityProps, 'isFirstOpen'> {
  /** How many the scan found: ` of 4`; empty where the head of the page says so. */
  readonly of: string;
}

/** What is fixed since. Of an older run it comes first, as it does on the way of the score. */
function Gone({ of, ...props }: GoneProps): JSX.Element | null {
  const { failures, isPast = false, rescore = null } = props;
  if (failures.length === 0) return null;
  return (
    <section class="sec" aria-labelledby="fixed">
      <div class="head">
        <h2 id="fixed">
          {isPast ? 'Fixed since' : 'Fixed, not yet in the score'}{' '}
          <span class="soft num">
            {failures.length}
            {of}
          </span>
        </h2>
        {rescore}
      </div>
      <BySeverity {...props} />
    </section>
  );
}

type Parted = Pick<FindingsProps, 'findings' | 'gains' | 'isAccepted' | 'isFixed'>;

/** The failures in the order in which to fix them: what is left to do, what is gone already, and what is meant to be so. */
export function partFailures({ findings, gains, isAccepted = () => false, isFixed = () => false }: Parted) {
  const failures = orderFailures(findings, gains);
  const left = failures.filter((failure) => !isFixed(failure));
  return {
    open: left.filter((failure) => !isAccepted(failure)),
    fixed: failures.filter(isFixed),
    accepted: left.filter(isAccepted),
  };
}

/** How the score rises in that order; what is gone already comes first. Null where that is unknown. */
export function ladderFor(parted: Parted) {
  const { open, fixed } = partFailures(parted);
  return ladderOf(parted.findings, parted.gains, [...fixed, ...open]);
}

/** `4`: those without points are told by the page's head, and here where there are no others. */
function countToFix(failures: readonly Finding[]): string {
  const unscored = failures.filter(({ scored }) => !scored).length;
  const scored = failures.length - unscored;
  return scored === 0 ? `${unscored}, not scored` : String(scored);
}

/** Fewer failures than these are seen at a glance. */
const LISTED_MIN = 6;

interface GainsKeyProps {
  readonly ladder: Ladder | null;
  readonly failures: readonly Finding[];
  /** Whether the figures begin above the score. */
  readonly hasFixed: boolean;
}

/** What the figures at the right of the rows say; of many rows, what they are by severity, too. */
function GainsKey({ ladder, failures, hasFixed }: GainsKeyProps): JSX.Element {
  const isTold = ladder !== null && failures.some(({ scored }) => scored);
  return (
    <div class="adds soft small">
      {failures.length >= LISTED_MIN && <Jumps failures={failures} />}
      {isTold && <p>Score as you fix from top to bottom{hasFixed && ', after what is fixed already'}</p>}
    </div>
  );
}

/** To each part of the list of what is to fix. */
function Jumps({ failures }: { readonly failures: readonly Finding[] }): JSX.Element {
  return (
    <ul class="facts jumps">
      {[...bySeverityOf(failures)].map(([severity, group]) => (
        <li key={severity}>
          <a href={`#${severityId(severity)}`}>{wordOf(severity)}</a> <span class="num">{countToFix(group)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The gravest first, as the failures are. */
function bySeverityOf(failures: readonly Finding[]): ReadonlyMap<Severity | null, readonly Finding[]> {
  return Map.groupBy(failures, (failure) => failureOf(failure)?.severity ?? null);
}

function wordOf(severity: Severity | null): string {
  return severity === null ? 'Other' : SEVERITIES[severity].word;
}

function severityId(severity: Severity | null): string {
  return wordOf(severity).toLowerCase().replace(' ', '-');
}

interface BySeverityProps extends FindingsProps {
  /** In order. */
  readonly failures: readonly Finding[];
  readonly ladder: Ladder | null;
  /** Whether they are those to fix, the first of which is open. */
  readonly isFirstOpen?: boolean;
}

/** The gravest first, under what their severity means. */
function BySeverity({ failures, ladder, isFirstOpen = false, ...props }: BySeverityProps): JSX.Element {
  const { isOpen = (finding) => isFirstOpen && finding === failures[0], isFixed = () => false, isPast = false } = props;
  return (
    <>
      {[...bySeverityOf(failures)].map(([severity, group]) => (
        <Group
          key={severity}
          level="h3"
          id={isFirstOpen ? severityId(severity) : undefined}
          title={wordOf(severity)}
          meaning={severity === null ? undefined : SEVERITIES[severity].meaning}
        >
          {group.map((finding) => (
            <FindingRow
              key={finding.checkId}
              {...rowOf(props, finding)}
              rung={ladder?.rungs.get(finding.checkId) ?? null}
              gain={props.gains.find(({ checkId }) => checkId === finding.checkId) ?? null}
              isOpen={isOpen(finding)}
              isGone={!isPast && isFixed(finding)}
              isPast={isPast && isFixed(finding)}
            />
          ))}
        </Group>
      ))}
    </>
  );
}

function rowOf(
  { origin, agentHref, asideOf, outcomeOf, actionsOf }: Omit<FindingsProps, 'findings'>,
  finding: Finding,
) {
  return {
    ...{ finding, origin },
    agentHref: finding.result === 'FAIL' ? `${agentHref}?check=${finding.checkId}` : null,
    aside: asideOf?.(finding),
    outcome: outcomeOf?.(finding),
    actions: actionsOf?.(finding),
  };
}

interface FoldedProps {
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** What may have to be looked at. */
function Rows({ title, findings, ...props }: FoldedProps & FindingsProps): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <CountedFold title={title} count={findings.length} isOpen={findings.some((finding) => props.isOpen?.(finding))}>
      <div>
        {findings.map((finding) => (
          <FindingRow
            key={finding.checkId}
            {...rowOf(props, finding)}
            rung={null}
            gain={null}
            isOpen={props.isOpen?.(finding) ?? false}
          />
        ))}
      </div>
    </CountedFold>
  );
}
