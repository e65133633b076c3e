import type { JSX } from 'preact';
import type { RunSummary } from '../../service/history.js';
import { Time } from '../components/text.js';
import { addressOf } from './addresses.js';
import { TRIGGER_WORDS } from './words.js';

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
    <table class="stack">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col" class="number">
            Score
          </th>
          <th scope="col">Finished</th>
          <th scope="col">Trigger</th>
          <th scope="col">Reference</th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  );
}
