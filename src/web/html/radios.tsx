import type { ComponentChildren, JSX } from 'preact';
import type { FieldErrors } from '../server/form.js';
import { FieldNotes, notesOf } from './form.js';

export interface RadiosProps {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Value of the chosen option. */
  readonly value: string;
  readonly hint?: ComponentChildren;
  readonly errors?: FieldErrors | null;
}

/** Radio buttons. With an error, the chosen one or else the first gets the focus (GOV.UK Design System, "Radios"). */
export function Radios({ name, legend, options, value, hint, errors }: RadiosProps): JSX.Element {
  const message = errors?.[name];
  const notes = { name, hint, message };
  const focused = options.find((option) => option.value === value) ?? options[0];
  return (
    <fieldset class="field" aria-describedby={notesOf(notes)}>
      <legend>{legend}</legend>
      <FieldNotes {...notes} />
      {options.map((option) => (
        <label class="choice" key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            autofocus={message !== undefined && option === focused}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
