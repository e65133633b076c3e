import type { JSX } from 'preact';
import { FieldNotes } from '../html/form.js';
import type { FieldErrors } from '../server/form.js';
import { formatMoment } from '../html/format.js';
import { describeLabel } from '../../app/runs/run-label.js';
import type { RunSummary } from '../../app/runs/run-rows.js';
import { addressOf } from '../server/site-paths.js';
import { formatCount } from '../../scanner/artifacts/counts.js';

/** A longer list is of no use, and would outweigh the rest of the page. */
export const CHOICES_MAX = 100;

/** Where it is said which numbers there are. */
const RANGE_ID = 'there-are';

export interface CompareFormProps {
  readonly siteId: string;
  /** The two runs, as they were chosen or typed. */
  readonly from: string;
  readonly to: string | number;
  readonly latestNumber: number;
  /** What the latest runs came to, where it is known. */
  readonly runs?: readonly RunSummary[];
  readonly errors?: FieldErrors | null;
}

/** Chooses two runs to compare. Nothing while there is only one. */
export function CompareForm(props: CompareFormProps): JSX.Element | null {
  const { siteId, from, to, latestNumber } = props;
  if (latestNumber < 2) return null;
  const isTyped = latestNumber > CHOICES_MAX;
  const Choice = isTyped ? NumberField : RunSelect;
  return (
    <form method="get" action={addressOf.compare(siteId)} class="row pair" novalidate>
      <Choice {...props} name="from" label="Compare run" value={from} />
      <Choice {...props} name="to" label="with run" value={String(to)} />
      <button type="submit" class="quiet">
        Compare
      </button>
      {isTyped && (
        <p id={RANGE_ID} class="soft small">
          There are runs 1 to {formatCount(latestNumber)}
        </p>
      )}
    </form>
  );
}

interface ChoiceProps extends Omit<CompareFormProps, 'from' | 'to'> {
  readonly name: 'from' | 'to';
  readonly label: string;
  readonly value: string;
}

function RunSelect({ name, label, value, latestNumber, runs = [], errors }: ChoiceProps): JSX.Element {
  const words = new Map(runs.map((run) => [run.number, nameChoice(run, runs)]));
  const scoreless = new Set(runs.filter(({ score }) => score === null).map(({ number }) => number));
  const message = errors?.[name];
  return (
    <div>
      <label for={name} class="soft">
        {label}
      </label>
      <select id={name} name={name} {...invalid(name, message)}>
        {/* A run that is not there leaves nothing chosen. */}
        {!isChoice(value, latestNumber) && (
          <option value="" selected>
            Choose a run
          </option>
        )}
        {Array.from({ length: latestNumber }, (_, index) => latestNumber - index).map((number) => (
          <option
            key={number}
            value={number}
            selected={String(number) === value}
            disabled={String(number) !== value && scoreless.has(number)}
          >
            {words.get(number) ?? `Run ${number}`}
          </option>
        ))}
      </select>
      <FieldNotes name={name} message={message} />
    </div>
  );
}

function NumberField({ name, label, value, errors }: ChoiceProps): JSX.Element {
  const message = errors?.[name];
  return (
    <div>
      <label for={name} class="soft">
        {label}
      </label>
      <input
        id={name}
        name={name}
        inputMode="numeric"
        autocomplete="off"
        maxLength={10}
        size={6}
        value={value}
        aria-invalid={message === undefined ? undefined : true}
        aria-describedby={message === undefined ? RANGE_ID : `${name}-error ${RANGE_ID}`}
      />
      <FieldNotes name={name} message={message} />
    </div>
  );
}

function invalid(name: string, message: string | undefined) {
  return message === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${name}-error` };
}

function isChoice(value: string, latestNumber: number): boolean {
  return /^[1-9][0-9]{0,9}$/.test(value) && Number(value) <= latestNumber;
}

/** In characters: a name may be several times as long as the rest of a choice. */
const NAME_MAX = 20;

/** `Run 13 · score 82 · v2.3.1, 4f2a1c9 · 18 Nov, 06:12`: a narrow field cuts off its end, which is missed least. */
function nameChoice({ number, score, label, finishedAt }: RunSummary, runs: readonly RunSummary[]): string {
  const name = label ? describeLabel(label) : '';
  const parts = [
    ...[`Run ${number}`, score === null ? 'no score' : `score ${score}`],
    ...(name === '' ? [] : [name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name]),
    formatEnd(finishedAt, runs),
  ];
  return parts.join(' · ');
}

function formatEnd(at: string, [latest]: readonly RunSummary[]): string {
  return formatMoment(at, latest?.finishedAt ?? at);
}
