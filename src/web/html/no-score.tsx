import type { ComponentChildren, JSX } from 'preact';
import { SCANNER_TOKEN } from '../../scanner/artifacts/scanner.js';
import { CopyLink } from './fold.js';
import { formatUtc } from './format.js';
import { Notes } from './notes.js';
import type { ReportView } from './report-view.js';
import { Callout, Snippet } from './text.js';

interface NoScoreProps {
  readonly view: ReportView;
  /** When the site was visited: ISO 8601, UTC. */
  readonly at: string;
  /** Buttons that scan again. */
  readonly children?: ComponentChildren;
}

/** A scan in which nothing could be judged, for one cause: the cause once, and what to do. */
export function NoScore({ view, at, children }: NoScoreProps): JSX.Element {
  const { agentHref, scan, gap } = view;
  return (
    <div id="findings" tabIndex={-1}>
      <Callout result="UNDETERMINED">
        <b>{gap}</b> No check could be judged, and none counts against the site.
      </Callout>
      {agentHref !== null && (
        <>
          <h2>What to do</h2>
          <ol>
            <li>See if the site was down at {formatUtc(at)}, or if a firewall in front of it turns programs away.</li>
            <li>
              Let <a href="/about">our scanner</a> in. Its User-Agent has this name:
              <Snippet text={SCANNER_TOKEN} label="the scanner’s name" />
            </li>
          </ol>
          <div class="row more">
            {children}
            <CopyLink href={agentHref} label="For a developer or AI" />
          </div>
        </>
      )}
      <Notes notes={scan.notes} />
    </div>
  );
}
