import type { JSX } from 'preact';
import type { FieldErrors } from '../form.js';
import { FieldNotes, notesOf } from './form.js';

export interface ScanFormProps {
  /** The address that takes it. */
  readonly action: string;
  readonly label?: string;
  /** Whether a heading above it says what it is for. */
  readonly isNamed?: boolean;
  readonly hint?: string;
  readonly value?: string;
  readonly errors?: FieldErrors | null;
}

/** The form as a tool of the browser's own agent (WebMCP, draft of 4 September 2026, "Declarative API"). */
const TOOL = {
  toolname: 'scan_site',
  tooldescription: 'Scans a public web site for its readiness for AI agents, and shows the findings.',
};

const NAME = 'site';
/** What it costs, where that is not known yet. */
export const FREE = 'Free, no account. Under a minute.';
/** Asks for a free scan. */
export function ScanForm(props: ScanFormProps): JSX.Element {
  const { action, label = 'Your site', isNamed = false, value = '', errors = null } = props;
  const message = errors?.[NAME];
  const notes = { name: NAME, message, hint: message === undefined ? props.hint : undefined };
  return (
    <form method="post" action={action} {...TOOL}>
      <label for={NAME} class={isNamed ? 'hide' : undefined}>
        {label}
      </label>
      <div class="ask">
        <input
          type="text"
          id={NAME}
          name={NAME}
          value={value}
          placeholder="example.com"
          inputMode="url"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          required
          aria-invalid={message === undefined ? undefined : true}
          aria-describedby={notesOf(notes)}
        />
        <button type="submit">Scan</button>
      </div>
      <div role={message === undefined ? undefined : 'alert'}>
        <FieldNotes {...notes} />
      </div>
    </form>
  );
}
