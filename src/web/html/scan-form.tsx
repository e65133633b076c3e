import type { FieldErrors } from '../server/form.js';
import { SCAN_PATHS } from '../server/paths.js';
import { FieldNotes, notesOf } from './form.js';

/** Offers the form as a tool to the browser's agent (WebMCP, draft of 4 September 2026, "Declarative API"). */
const TOOL = {
  toolname: 'scan_site',
  tooldescription: 'Scans a public web site for its readiness for AI agents, and shows the findings.',
};

export const FREE = 'Free, no account. Under a minute.';

interface AskSiteProps {
  readonly label?: string;
  /** True if a heading above names it. */
  readonly isNamed?: boolean;
  readonly hint?: string;
  readonly value?: string;
  readonly errors?: FieldErrors | null;
  readonly button: string;
  /** True if the page has another main button. */
  readonly isQuiet?: boolean;
}

export function ScanForm(field: Omit<AskSiteProps, 'button'>) {
  return (
    <form method="post" action={SCAN_PATHS.form} {...TOOL}>
      <AskSite {...field} button="Scan" />
    </form>
  );
}

/** A field for an address, with its button inside. */
export function AskSite({ label = 'Your site', isNamed, value = '', errors, button, ...props }: AskSiteProps) {
  const message = errors?.site;
  const notes = { name: 'site', message, hint: message === undefined ? props.hint : undefined };
  return (
    <>
      <label for="site" class={isNamed ? 'hide' : undefined}>
        {label}
      </label>
      <div class="site-field">
        <input
          type="text"
          id="site"
          name="site"
          placeholder="example.com"
          inputMode="url"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          required
          aria-invalid={message === undefined ? undefined : true}
          aria-describedby={notesOf(notes)}
          autofocus={message !== undefined}
          value={value}
        />
        <button type="submit" class={props.isQuiet ? 'quiet' : undefined}>
          {button}
        </button>
      </div>
      <FieldNotes {...notes} />
    </>
  );
}
