import type { JSX } from 'preact';
import { describeLabel } from '../../app/runs/run.js';
import type { RunSummary } from '../../app/runs/run-rows.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { FieldNotes } from '../html/form.js';
import { formatMoment } from '../html/format.js';
import { queriesOf, queryOf, type RouteContext } from '../server/context.js';
import type { FieldErrors } from '../server/form.js';
import { parseNumber } from '../server/requested-site.js';

/** The chosen runs, as they were typed. */
export interface Choice {
  readonly from: string;
  readonly to: string;
  /** Null if they can be compared; empty if none was chosen yet. */
  readonly errors: FieldErrors | null;
}

/** Reads `from` and `to`, or two ticked runs of the list, of which the earlier comes first. */
export function readChoice(ctx: RouteContext, { latestNumber }: OwnSite): Choice {
  const ticked = queriesOf(ctx, 'run').sort((one, other) => Number(one) - Number(other));
  const from = ticked.length > 1 ? ticked.at(0) : queryOf(ctx, 'from');
  const to = ticked.at(-1) ?? queryOf(ctx, 'to');
  const choice = { from: from?.trim() ?? '', to: to.trim() };
  const isChoosing = ctx.querystring === '' && latestNumber > 1;
  return { ...choice, errors: isChoosing ? {} : findErrors(choice, ticked.length, latestNumber) };
}

function findErrors({ from, to }: Omit<Choice, 'errors'>, tickedCount: number, latest: number): FieldErrors | null {
  if (latest < 2) return { '': 'There are no two runs of this site yet, so there is nothing to compare.' };
  if (tickedCount > 2) return { from: `You picked ${tickedCount} runs. Choose two of them here.` };
  if (tickedCount === 1) return { from: `You picked run ${to} alone. Choose the run to compare it with.` };
  if (from === '' && to === '') return { from: 'You picked no run. Choose two to compare.' };
  const errors: Record<string, string> = {};
  for (const [name, text] of Object.entries({ from, to })) {
    if ((parseNumber(text) ?? Infinity) <= latest) continue;
    errors[name] = `There is no run ${text.slice(0, 10) || 'chosen'}: runs 1 to ${latest} exist.`;
  }
  if (Object.keys(errors).length > 0) return errors;
  return from === to ? { from: `Run ${to} cannot be compared with itself. Choose another run.` } : null;
}

interface RunSelectProps {
  readonly name: 'from' | 'to';
  readonly label: string;
  readonly value: string;
  /** The latest runs, newest first. */
  readonly runs: readonly RunSummary[];
  readonly message: string | undefined;
}

export function RunSelect({ name, label, value, runs, message }: RunSelectProps): JSX.Element {
  const isOffered = runs.some(({ number }) => String(number) === value);
  return (
    <div>
      <label for={name} class="soft">
        {label}
      </label>
      <select
        id={name}
        name={name}
        aria-invalid={message === undefined ? undefined : true}
        aria-describedby={message === undefined ? undefined : `${name}-error`}
      >
        {!isOffered && (
          <option value={message === undefined ? value : ''} selected>
            {value === '' || message !== undefined ? 'Choose a run' : `Run ${value}`}
          </option>
        )}
        {runs.map((run) => (
          <option
            key={run.number}
            value={run.number}
            selected={String(run.number) === value}
            disabled={run.score === null && String(run.number) !== value}
          >
            {describeRun(run, runs[0]?.finishedAt)}
          </option>
        ))}
      </select>
      <FieldNotes name={name} message={message} />
    </div>
  );
}

/** Longer names of a run are cut in a choice. */
const NAME_CHARS_MAX = 20;

/** `Run 13 · score 82 · v2.3.1, 4f2a1c9 · 18 Nov, 06:12` */
function describeRun({ number, score, label, finishedAt }: RunSummary, latestAt = finishedAt): string {
  const name = label ? describeLabel(label) : '';
  const parts = [
    `Run ${number}`,
    score === null ? 'no score' : `score ${score}`,
    name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX - 1)}…` : name,
    formatMoment(finishedAt, latestAt),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
