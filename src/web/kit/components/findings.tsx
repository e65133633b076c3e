import type { ComponentChildren, JSX } from 'preact';
import { failureOf, headlineOf } from '../../../scanner/report/failures.js';
import { orderFailures } from '../../../scanner/report/order.js';
import { SEVERITIES } from '../../../scanner/verdict/failure.js';
import { describeGain, type Gain } from '../../../scanner/report/gain.js';
import type { Finding } from '../../../scanner/verdict/finding.js';
import { fixFor } from '../../../scanner/verdict/fix-parts.js';
import { PILLARS, type Result } from '../../../scanner/verdict/vocabulary.js';
import type { Note } from '../../../scanner/verdict/note.js';
import { Fix } from './fix.js';
import { Notes } from './notes.js';
import { checkHref, failureHref, ResultMark } from './result.js';

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
  /** The evidence behind a finding that did not pass, and what can be done about it. */
  readonly beneathOf?: (finding: Finding) => ComponentChildren;
  /** Whether its owner means to leave a failure as it is. */
  readonly isAccepted?: (finding: Finding) => boolean;
  /** Whether a failure is gone, though the scan found it. */
  readonly isFixed?: (finding: Finding) => boolean;
  /** What brings what is fixed into the score. */
  readonly rescore?: ComponentChildren;
}

/** All findings of a scan: what to fix first, what is fixed since, what could not be determined, then, folded, what passed and what does not apply. */
export function Findings(props: FindingsProps): JSX.Element {
  const { origin, findings, notes, gains, agentHref } = props;
  const { asideOf = () => null, beneathOf = () => null, rescore = null } = props;
  const { isAccepted = () => false, isFixed = () => false } = props;
  const around = { origin, gains, agentHref, asideOf, beneathOf };
  const found = (result: Result): readonly Finding[] => findings.filter((finding) => finding.result === result);
  const failures = orderFailures(findings, gains);
  const fixed = failures.filter(isFixed);
  const accepted = failures.filter((failure) => !isFixed(failure) && isAccepted(failure));
  const failed = failures.filter((failure) => !isFixed(failure) && !isAccepted(failure));
  const open = found('UNDETERMINED');
  return (
    <>
      {failed.length > 0 && (
        <section aria-labelledby="to-fix">
          <h2 id="to-fix">To fix ({failed.length})</h2>
          <ForAgent href={agentHref} label="All failures, for your coding agent" />
          <BySeverity failures={failed} {...around} />
        </section>
      )}
      {fixed.length > 0 && (
        <section aria-labelledby="fixed">
          <h2 id="fixed">Fixed, not yet in the score ({fixed.length})</h2>
          {rescore}
          <BySeverity failures={fixed} {...around} />
        </section>
      )}
      {open.length > 0 && (
        <section aria-labelledby="undetermined">
          <h2 id="undetermined">Could not be determined ({open.length})</h2>
          <ByPillar findings={open} asideOf={asideOf} beneathOf={beneathOf} />
        </section>
      )}
      <Notes notes={notes} />
      <Folded title="Accepted" findings={accepted}>
        <BySeverity failures={accepted} {...around} />
      </Folded>
      <Folded title="Passed" findings={found('PASS')} />
      <Folded title="Does not apply" findings={found('NOT_APPLICABLE')} />
      <p class="soft">
        The score is the share of passed checks among those that are scored and apply; each counts the same. What could
        not be determined counts as not passed.
      </p>
    </>
  );
}

interface BySeverityProps extends Required<
  Omit<FindingsProps, 'findings' | 'notes' | 'isAccepted' | 'isFixed' | 'rescore'>
> {
  /** In order. */
  readonly failures: readonly Finding[];
}

/** The gravest first, under what their severity means. */
function BySeverity({ failures, origin, gains, agentHref, asideOf, beneathOf }: BySeverityProps): JSX.Element {
  const groups = Map.groupBy(failures, (failure) => failureOf(failure)?.severity ?? null);
  return (
    <>
      {[...groups].map(([severity, group]) => (
        <div key={severity}>
          <h3>{severity === null ? 'Other' : SEVERITIES[severity].word}</h3>
          {severity !== null && <p class="soft">{SEVERITIES[severity].meaning}</p>}
          <ul class="findings">
            {group.map((finding) => (
              <FindingRow
                key={finding.checkId}
                finding={finding}
                gain={describeGain(gains, finding)}
                fix={finding.fix === null ? null : fixFor(origin, finding.fix)}
                agentHref={`${agentHref}?check=${finding.checkId}`}
                aside={asideOf(finding)}
                beneath={beneathOf(finding)}
              />
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

interface FoldedProps {
  readonly title: string;
  readonly findings: readonly Finding[];
  /** How they are listed; by default by pillar. */
  readonly children?: ComponentChildren;
}

function Folded({ title, findings, children }: FoldedProps): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <details class="folded">
      <summary>
        <h2>
          {title} ({findings.length})
        </h2>
      </summary>
      {children ?? <ByPillar findings={findings} asideOf={() => null} beneathOf={() => null} />}
    </details>
  );
}

type ByPillarProps = Required<Pick<FindingsProps, 'findings' | 'asideOf' | 'beneathOf'>>;

/** Grouped by pillar, in their order; what counts comes first in each. */
function ByPillar({ findings, asideOf, beneathOf }: ByPillarProps): JSX.Element {
  return (
    <>
      {[...Map.groupBy(findings, ({ pillar }) => pillar)].map(([pillar, group]) => (
        <div key={pillar}>
          <h3>{describePillar(pillar)}</h3>
          <ul class="findings">
            {group
              .sort((one, other) => Number(other.scored) - Number(one.scored))
              .map((finding) => (
                <FindingRow
                  key={finding.checkId}
                  finding={finding}
                  gain={null}
                  fix={null}
                  agentHref={null}
                  aside={asideOf(finding)}
                  beneath={beneathOf(finding)}
                />
              ))}
          </ul>
        </div>
      ))}
    </>
  );
}

interface FindingRowProps {
  readonly finding: Finding;
  /** What fixing it adds to the score, in words. */
  readonly gain: string | null;
  /** If it failed, how to fix it on this site. */
  readonly fix: string | null;
  /** Where it is told to a coding agent, if it failed. */
  readonly agentHref: string | null;
  readonly aside: ComponentChildren;
  readonly beneath: ComponentChildren;
}

/** One finding in one row; opened, what it means, since when it is so and, where it failed, how to fix it. */
function FindingRow({ finding, gain, fix, agentHref, aside, beneath }: FindingRowProps): JSX.Element {
  const { checkId, result, errorType, detail, explanation } = finding;
  return (
    <li class="finding" id={checkId}>
      <a class="check mono" href={checkHref(checkId)}>
        {checkId}
      </a>
      <details>
        <summary>
          <ResultMark result={result} /> <span class="title">{headlineOf(finding)}</span>
          <Weight finding={finding} gain={gain} />
          {detail !== null && <span class="detail">{detail}</span>}
        </summary>
        {aside !== null && <p class="soft">{aside}</p>}
        {explanation !== null && <p>{explanation}</p>}
        {fix !== null && (
          <>
            <h4>How to fix it</h4>
            <Fix text={fix} name={checkId} />
            {errorType !== null && failureOf(finding) && (
              <p>
                <a href={failureHref(checkId, errorType)}>{`An example of ${checkId} ${errorType}`}</a>
              </p>
            )}
          </>
        )}
        {agentHref !== null && <ForAgent href={agentHref} label={`${checkId}, for your coding agent`} />}
      </details>
      {beneath}
    </li>
  );
}

/** A text of ours behind a link. Where script can copy, it adds a button. */
function ForAgent({ href, label }: { readonly href: string; readonly label: string }): JSX.Element {
  return (
    <p class="row">
      <a href={href} data-copy>
        {label}
      </a>
    </p>
  );
}

/** What the finding has to do with the score, where that is not plain. */
function Weight({ finding: { scored }, gain }: Pick<FindingRowProps, 'finding' | 'gain'>): JSX.Element | null {
  if (!scored) return <span class="soft"> not scored</span>;
  return gain === null ? null : <span class="soft"> {gain}</span>;
}

/** A stored run may name a pillar that is no more. */
function describePillar(pillar: string | null): string {
  if (pillar === null) return 'Forward-looking';
  const words = (PILLARS as Readonly<Record<string, string>>)[pillar];
  return words === undefined
    ? `Pillar ${pillar}`
    : `${words.charAt(0).toUpperCase()}${words.slice(1)} (pillar ${pillar})`;
}
