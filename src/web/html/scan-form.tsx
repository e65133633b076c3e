import type { JSX } from 'preact';
import type { FieldErrors } from '../server/form.js';
import { FieldNotes, notesOf } from './form.js';

export interface ScanFormProps {
  /** Path that accepts the form. */
  readonly action: string;
  readonly label?: string;
  /** True if a heading above names it. */
  readonly isNamed?: boolean;
  readonly hint?: string;
  readonly value?: string;
  readonly errors?: FieldErrors | null;
  /** True if the page has another main button. */
  readonly isQuiet?: boolean;
}

/** Offers the form as a tool to the browser's agent (WebMCP, draft of 4 September 2026, "Declarative API"). */
const TOOL = {
  toolname: 'scan_site',
  tooldescription: 'Scans a public web site for its readiness for AI agents, and shows the findings.',
};

const NAME = 'site';
/** Says what a scan costs. */
export const FREE = 'Free, no account. Under a minute.';
/** The form that starts a free scan. */
export function ScanForm({ action, ...field }: ScanFormProps): JSX.Element {
  return (
    <form method="post" action={action} {...TOOL}>
      <AskSite {...field} button="Scan" isRequired />
    </form>
  );
}

interface AskSiteProps extends Omit<ScanFormProps, 'action'> {
  /** Label of the button. */
  readonly button: string;
  readonly maxLength?: number;
  /** True if the browser refuses an empty field. */
  readonly isRequired?: boolean;
  /** True to focus the field after a refusal; otherwise the message is announced. */
  readonly takesFocus?: boolean;
}

/** A field for an address, with its button inside. */
export function AskSite(props: AskSiteProps): JSX.Element {
  const { label = 'Your site', isNamed = false, value = '', errors = null, button, maxLength, isRequired } = props;
  const { takesFocus = false, isQuiet = false } = props;
  const message = errors?.[NAME];
  const notes = { name: NAME, message, hint: message === undefined ? props.hint : undefined };
  return (
    <>
      <label for={NAME} class={isNamed ? 'hide' : undefined}>
        {label}
      </label>
      <div class="ask">
        <input
          type="text"
          id={NAME}
          name={NAME}
          placeholder="example.com"
          inputMode="url"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          maxLength={maxLength}
          required={isRequired}
          aria-invalid={message === undefined ? undefined : true}
          aria-describedby={notesOf(notes)}
          autofocus={takesFocus && message !== undefined}
          value={value}
        />
        <button type="submit" class={isQuiet ? 'quiet' : undefined}>
          {button}
        </button>
      </div>
      <div role={message === undefined || takesFocus ? undefined : 'alert'}>
        <FieldNotes {...notes} />
      </div>
    </>
  );
}
