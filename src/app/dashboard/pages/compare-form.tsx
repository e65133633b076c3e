import type { JSX } from 'preact';
import { Field } from '../../../web/kit/components/form.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import { addressOf } from '../../sites/pages/addresses.js';

export interface CompareFormProps {
  readonly siteId: string;
  /** The run to compare with, as it was chosen or typed. */
  readonly from: string;
  readonly to: number;
  readonly latestNumber: number;
  readonly errors?: FieldErrors | null;
}

/** A longer list is of no use, and would outweigh the rest of the page. */
const CHOICES_MAX = 100;

/** Chooses the run that run `to` is compared with: any other of the site. Nothing while there is no other. */
export function CompareForm(props: CompareFormProps): JSX.Element | null {
  const { siteId, to, latestNumber } = props;
  if (latestNumber === 1) return null;
  return (
    <form method="get" action={addressOf.compare(siteId)} class="row" novalidate>
      <input type="hidden" name="to" value={to} />
      {latestNumber > CHOICES_MAX ? <RunField {...props} /> : <RunChoice {...props} />}
      <button type="submit" class="quiet">
        Compare
      </button>
    </form>
  );
}

function RunField({ from, to, latestNumber, errors = null }: CompareFormProps): JSX.Element {
  return (
    <Field
      name="from"
      label={`Compare run ${to} with run`}
      hint={`A number from 1 to ${latestNumber}.`}
      value={from}
      errors={errors}
      autocomplete="off"
      maxLength={10}
    />
  );
}

function RunChoice({ from, to, latestNumber }: CompareFormProps): JSX.Element {
  const numbers = Array.from({ length: latestNumber }, (_, index) => latestNumber - index);
  return (
    <>
      <label for="from">Compare run {to} with</label>
      <select id="from" name="from">
        {numbers
          .filter((number) => number !== to)
          .map((number) => (
            <option key={number} value={number} selected={String(number) === from}>
              run {number}
            </option>
          ))}
      </select>
    </>
  );
}
