import type { JSX } from 'preact';
import { headlineOf } from '../../scanner/report/failures.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { Snippet } from '../html/text.js';
import type { RunReport } from '../../app/runs/history.js';
import { addressOf } from '../server/site-paths.js';
import type { FindingProps } from './finding-props.js';
import { Fold } from '../html/fold.js';

/** All that it takes to tell the operator that a verdict is wrong. */
export function WrongVerdict({ report, finding, shown, again, contact }: FindingProps): JSX.Element {
  const { site, run } = report.response;
  const file = `${addressOf.evidence(site.id, run.number, finding.checkId)}.har`;
  const hasFile = shown !== null || again !== null;
  return (
    <Fold title="Is this verdict wrong?">
      <ol>
        {hasFile && (
          <li>
            <a href={file}>Download the evidence as a HAR file</a>. It holds what stands on this page and nothing else:
            for each request to your site its address without the query, the status, the header fields and the excerpt.
          </li>
        )}
        <li>
          Complete this text, and say which page or standard shows that the verdict is wrong:
          <Snippet text={wordsFor(report, finding, hasFile)} label="text of your report" />
        </li>
        <li>
          {contact === null ? (
            `Send ${hasFile ? 'both' : 'it'} to the operator of this service, who has published no address.`
          ) : (
            <>
              Send {hasFile ? 'both' : 'it'} to <a href={contact}>{contact.replace(/^mailto:/, '')}</a>.
            </>
          )}
        </li>
      </ol>
    </Fold>
  );
}

/** Names the owner's host, and is otherwise of our own words. */
function wordsFor({ response: { site, run } }: RunReport, finding: Finding, hasFile: boolean): string {
  const { checkId, result, errorType, detail } = finding;
  return [
    `${checkId} is wrong about ${site.hostname} (run ${run.number}, ${run.reference}, ${run.startedAt}).`,
    `It says: ${[result, errorType].filter((part) => part !== null).join(' ')}. ${detail ?? headlineOf(finding)}`,
    'I think that this is wrong, because: …',
    ...(hasFile ? ['The evidence is attached as a HAR file.'] : []),
  ].join('\n\n');
}
