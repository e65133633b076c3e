import type { JSX } from 'preact';
import type { RunSummary } from '../../runs/run-lines.js';
import { Table } from '../../../web/kit/components/table.js';
import { Time } from '../../../web/kit/components/text.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { TRIGGER_WORDS } from '../../runs/words.js';

interface RunTableProps {
  readonly siteId: string;
  /** The newest first. */
  readonly runs: readonly RunSummary[];
  readonly caption: string;
  readonly now: Date;
}

/** Runs by number, each with a link to its page. */
export function RunTable({ siteId, runs, caption, now }: RunTableProps): JSX.Element {
  return (
    <Table caption={caption} head={[['Run'], ['Score', 'number'], ['Finished'], ['Trigger'], ['Reference']]}>
      {runs.map(({ number, score, finishedAt, trigger, reference }) => (
        <tr key={number}>
          <th scope="row">
            <a href={addressOf.run(siteId, number)}>Run {number}</a>
          </th>
          <td class="number" data-label="Score">
            {score ?? 'no score'}
          </td>
          <td data-label="Finished">
            <Time at={finishedAt} now={now} />
          </td>
          <td data-label="Trigger">{TRIGGER_WORDS[trigger]}</td>
          <td data-label="Reference">
            <span class="mono">{reference}</span>
          </td>
        </tr>
      ))}
    </Table>
  );
}
