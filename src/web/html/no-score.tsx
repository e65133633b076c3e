import type { ComponentChildren, JSX } from 'preact';
import { SCANNER_TOKEN } from '../../scanner/artifacts/scanner.js';
import { commonCause } from '../../scanner/report/no-score.js';
import { CountedFold } from './fold.js';
import { Mark } from './icons.js';
import { Notes } from './notes.js';
import type { ReportView } from './report-view.js';
import { Callout, Snippet } from './text.js';

interface NoScoreProps {
  readonly view: ReportView;
  /** When the site was visited: `2026-11-24 06:12 UTC`. */
  readonly at?: string;
  /** Replaces the cause and what to do, for visitors. */
  readonly past?: ComponentChildren;
  /** The last thing to do: how to scan again. */
  readonly again?: ComponentChildren;
  /** Buttons, such as the one that scans again. */
  readonly actions?: ComponentChildren;
  /** The requests behind it, if they are stored. */
  readonly children?: ComponentChildren;
}

/** A scan in which nothing could be judged: the cause once, what to do, and the checks by name. */
export function NoScore({ view, at, past, again, actions, children }: NoScoreProps): JSX.Element {
  const { findings, notes } = view.scan;
  const cause = commonCause(findings);
  return (
    <div id="findings" tabIndex={-1}>
      {past ? (
        <Callout>{past}</Callout>
      ) : (
        <>
          <Callout result="UNDETERMINED">
            {cause !== null && <b>{cause}</b>} No check could be judged, and none counts against you.
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
      )}
      {children}
      <Notes notes={notes} />
      <div class="sec">
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
      </div>
    </div>
  );
}
