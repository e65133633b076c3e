import type { ComponentChildren, JSX } from 'preact';
import { SCANNER_TOKEN } from '../../scanner/artifacts/scanner.js';
import { commonCause } from '../../scanner/report/no-score.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { Note } from '../../scanner/verdict/note.js';
import { FINDINGS_ID } from './findings.js';
import { CountedFold } from './fold.js';
import { Mark } from './icons.js';
import { Notes } from './notes.js';
import { Callout, Snippet } from './text.js';

export interface NoScoreProps {
  readonly findings: readonly Finding[];
  readonly notes: readonly Note[];
  /** When the site was visited: `2026-11-24 06:12 UTC`. */
  readonly at: string;
  /** Instead of the cause and what to do, where that is over. */
  readonly past?: ComponentChildren;
  /** The last thing to do: where it is asked for once more. */
  readonly again: ComponentChildren;
  /** What can be done here, such as to run again. */
  readonly actions: ComponentChildren;
  /** The requests behind it, where they are kept. */
  readonly children?: ComponentChildren;
}

interface Cause {
  readonly cause: string | null;
}

/** A scan in which nothing could be judged: the cause once, large, then what to do, then what was asked. */
export function NoScore({ findings, notes, past, children, ...now }: NoScoreProps): JSX.Element {
  const cause = commonCause(findings);
  return (
    <div id={FINDINGS_ID} tabIndex={-1}>
      {past === undefined ? <ToDo {...now} cause={cause} /> : <Callout>{past}</Callout>}
      {children}
      <Notes notes={notes} />
      <div class="sec">
        <Unjudged findings={findings} cause={cause} />
      </div>
    </div>
  );
}

function ToDo({ at, again, actions, cause }: Pick<NoScoreProps, 'at' | 'again' | 'actions'> & Cause): JSX.Element {
  return (
    <>
      <Callout result="UNDETERMINED">
        {cause !== null && <b>{cause}</b>} No check could be judged, and none is held against you.
      </Callout>
      <h2>What to do</h2>
      <ol>
        <li>See if the site was down at {at}, or if a firewall in front of it turns programs away.</li>
        <li>
          Let <a href="/about">our scanner</a> in. Its User-Agent has this name:
          <Snippet text={SCANNER_TOKEN} label="the scanner’s name" />
        </li>
        <li>{again}</li>
      </ol>
      <div class="row more">{actions}</div>
    </>
  );
}

/** Each check by its name alone: what most of them say stands above. */
function Unjudged({ findings, cause }: Pick<NoScoreProps, 'findings'> & Cause) {
  return (
    <CountedFold title="Checks" count={findings.length}>
      <ul class="lines">
        {findings.map(({ checkId, result, title, detail }) => (
          <li key={checkId} id={checkId}>
            <Mark result={result} />
            <span>
              {title ?? checkId} <code class="soft">{checkId}</code>
              {detail !== null && detail !== cause && <span class="soft small"> {detail}</span>}
            </span>
          </li>
        ))}
      </ul>
    </CountedFold>
  );
}
