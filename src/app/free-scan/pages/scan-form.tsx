import type { JSX } from 'preact';
import type { FieldErrors } from '../../../web/kit/form.js';
import { FieldNotes, notesOf } from '../../../web/kit/components/form.js';

export interface ScanFormProps {
  readonly value?: string;
  readonly errors?: FieldErrors | null;
  /** Whether it stands at the side of a page, under a heading that says what it is for. */
  readonly isSmall?: boolean;
}

/** The form as a tool of the browser's own agent (WebMCP, draft of 4 September 2026, "Declarative API"). */
const TOOL = {
  toolname: 'scan_site',
  tooldescription: 'Scans a public web site for its readiness for AI agents, and shows the findings.',
};

const NAME = 'site';
const HINT = 'Free, no account. Under a minute.';

/** Asks for a free scan. */
export function ScanForm({ value = '', errors = null, isSmall = false }: ScanFormProps): JSX.Element {
  const message = errors?.[NAME];
  const notes = { name: NAME, message, ...(!isSmall && { hint: HINT }) };
  return (
    <form method="post" action="/scan" class="scan-form" {...TOOL}>
      <label for={NAME} class={isSmall ? 'hide' : undefined}>
        Your site
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
      <FieldNotes {...notes} />
    </form>
  );
}
