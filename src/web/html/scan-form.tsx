import type { FieldErrors } from '../server/form.js';
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
  readonly maxLength?: number;
  /** True if the browser refuses an empty field. */
  readonly isRequired?: boolean;
  /** True to focus the field after a refusal; otherwise the message is announced. */
  readonly takesFocus?: boolean;
}

export function ScanForm({ action, ...field }: Omit<AskSiteProps, 'button'> & { readonly action: string }) {
  return (
    <form method="post" action={action} {...TOOL}>
      <AskSite {...field} button="Scan" isRequired />
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
          maxLength={props.maxLength}
          required={props.isRequired}
          aria-invalid={message === undefined ? undefined : true}
          aria-describedby={notesOf(notes)}
          autofocus={props.takesFocus && message !== undefined}
          value={value}
        />
        <button type="submit" class={props.isQuiet ? 'quiet' : undefined}>
          {button}
        </button>
      </div>
      <div role={message === undefined || props.takesFocus ? undefined : 'alert'}>
        <FieldNotes {...notes} />
      </div>
    </>
  );
}
