import type { ComponentChildren, JSX } from 'preact';
import { headlineOf } from '../../scanner/failures/index.js';
import type { Finding } from '../../scanner/findings/finding.js';
import { PILLARS, type Result } from '../../scanner/findings/vocabulary.js';
import type { Note } from '../../scanner/findings/note.js';
import { Fix } from './fix.js';
import { Notes } from './notes.js';
import { checkHref, ResultMark } from './result.js';
import { pointsOfOnePass } from './score.js';

export interface FindingsProps {
  readonly findings: readonly Finding[];
  /** Advice beside them. */
  readonly notes: readonly Note[];
  /** What is known beside the finding itself where it did not pass, such as since when it is so. */
  readonly asideOf?: (finding: Finding) => ComponentChildren;
}

/** All findings of a scan: what to fix first, what could not be determined, then, folded, what passed and what does not apply. */
export function Findings({ findings, notes, asideOf = () => null }: FindingsProps): JSX.Element {
  const points = pointsOfOnePass(findings);
  const found = (result: Result): readonly Finding[] => findings.filter((finding) => finding.result === result);
  const [failed, open] = [found('FAIL'), found('UNDETERMINED')];
  return (
    <>
      {failed.length > 0 && (
        <section aria-labelledby="to-fix">
          <h2 id="to-fix">To fix ({failed.length})</h2>
          <ByPillar findings={failed} points={points} asideOf={asideOf} />
        </section>
      )}
      {open.length > 0 && (
        <section aria-labelledby="undetermined">
          <h2 id="undetermined">Could not be determined ({open.length})</h2>
          <ByPillar findings={open} points={0} asideOf={asideOf} />
        </section>
      )}
      <Notes notes={notes} />
      <Folded title="Passed" findings={found('PASS')} />
      <Folded title="Does not apply" findings={found('NOT_APPLICABLE')} />
      <p class="muted">
        The score is the share of passed checks among those that are scored and apply; each counts the same. What could
        not be determined counts as not passed.
      </p>
    </>
  );
}

interface FoldedProps {
  readonly title: string;
  readonly findings: readonly Finding[];
}

function Folded({ title, findings }: FoldedProps): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <details class="folded">
      <summary>
        <h2>
          {title} ({findings.length})
        </h2>
      </summary>
      <ByPillar findings={findings} points={0} asideOf={() => null} />
    </details>
  );
}

interface ByPillarProps extends Required<Omit<FindingsProps, 'notes'>> {
  /** What one more pass adds to the score; 0 where it is of no interest. */
  readonly points: number;
}

/** Grouped by pillar: in their order, or, where points can be won, with the pillar first where most can be. */
function ByPillar({ findings, points, asideOf }: ByPillarProps): JSX.Element {
  const groups = new Map<Finding['pillar'], Finding[]>();
  for (const finding of findings) groups.set(finding.pillar, [...(groups.get(finding.pillar) ?? []), finding]);
  const gainOf = (group: readonly Finding[]): number => points * group.filter(({ scored }) => scored).length;
  const sorted = [...groups].sort(([, one], [, other]) => gainOf(other) - gainOf(one));
  return (
    <>
      {sorted.map(([pillar, group]) => (
        <div key={pillar}>
          <h3>{describePillar(pillar)}</h3>
          <ul class="findings">
            {group
              .sort((one, other) => Number(other.scored) - Number(one.scored))
              .map((finding) => (
                <FindingRow key={finding.checkId} finding={finding} points={points} aside={asideOf(finding)} />
              ))}
          </ul>
        </div>
      ))}
    </>
  );
}

interface FindingRowProps {
  readonly finding: Finding;
  readonly points: number;
  readonly aside: ComponentChildren;
}

/** One finding in one row; opened, what it means, since when it is so and, where it failed, how to fix it. */
function FindingRow({ finding, points, aside }: FindingRowProps): JSX.Element {
  const { checkId, result, detail, explanation, fix } = finding;
  return (
    <li class="finding" id={checkId}>
      <a class="check mono" href={checkHref(checkId)}>
        {checkId}
      </a>
      <details>
        <summary>
          <ResultMark result={result} /> <span class="title">{headlineOf(finding)}</span>
          <Weight finding={finding} points={points} />
          {detail !== null && <span class="detail">{detail}</span>}
        </summary>
        {aside !== null && <p class="muted">{aside}</p>}
        {explanation !== null && <p>{explanation}</p>}
        {result === 'FAIL' && fix !== null && (
          <>
            <h4>How to fix it</h4>
            <Fix text={fix} checkId={checkId} />
          </>
        )}
      </details>
    </li>
  );
}

/** What the finding has to do with the score, where that is not plain. */
function Weight({ finding: { scored }, points }: Pick<FindingRowProps, 'finding' | 'points'>): JSX.Element | null {
  if (!scored) return <span class="muted"> not scored</span>;
  return points > 0 ? <span class="muted"> +{points === 1 ? '1 point' : `${points} points`}</span> : null;
}

/** A stored run may name a pillar that is no more. */
function describePillar(pillar: string | null): string {
  if (pillar === null) return 'Forward-looking';
  const words = (PILLARS as Readonly<Record<string, string>>)[pillar];
  return words === undefined
    ? `Pillar ${pillar}`
    : `${words.charAt(0).toUpperCase()}${words.slice(1)} (pillar ${pillar})`;
}
