import type { ComponentChildren } from 'preact';
import type { FieldErrors } from '../server/page.js';
import { SCAN_PATHS } from '../server/paths.js';
import { HiddenFields } from './sections.js';

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'password';
  /** Options of a select, which replaces the input. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Explains what to enter. */
  readonly hint?: ComponentChildren;
  readonly errors?: FieldErrors | null;
  readonly autocomplete?: 'username' | 'current-password' | 'new-password' | 'url' | 'off';
  readonly inputMode?: 'text' | 'url' | 'email';
  readonly required?: boolean;
  readonly maxLength?: number;
  /** True for a text area. */
  readonly isLong?: boolean;
  /** Lines of the text area. */
  readonly rows?: number;
  /** True for host names and keys: no spell check, no capitals. */
  readonly isVerbatim?: boolean;
}

/** A field with its label, hint and error. Keeps what was typed, except passwords. */
export function Field(props: FieldProps) {
  const { name, label, hint, errors } = props;
  const message = errors?.[name];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <FieldNotes {...{ name, hint, message }} />
      <Control {...props} message={message} />
    </div>
  );
}

interface Notes {
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly message: string | undefined;
}

/** Hint and error of a field. */
export function FieldNotes({ name, hint, message }: Notes) {
  return (
    <>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {message !== undefined && (
        <p class="wrong" id={`${name}-error`}>
          {message}
        </p>
      )}
    </>
  );
}

/** Returns the ids of the {@link FieldNotes} of a field, for `aria-describedby`. */
export function describedBy({ name, hint, message }: Notes): string | undefined {
  const ids = [message !== undefined && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

function Control(props: FieldProps & { readonly message: string | undefined }) {
  const { name, value, type = 'text', options, message, isVerbatim } = props;
  const common = {
    id: name,
    name,
    'aria-invalid': message === undefined ? undefined : true,
    'aria-describedby': describedBy(props),
    autofocus: message !== undefined,
  };
  if (options) {
    return (
      <select {...common}>
        {options.map(([option, label]) => (
          <option key={option} value={option} selected={option === value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  const typed = {
    ...common,
    required: props.required ?? true,
    autocomplete: props.autocomplete,
    maxLength: props.maxLength,
    autocapitalize: isVerbatim ? ('none' as const) : undefined,
    spellcheck: isVerbatim ? false : undefined,
  };
  if (props.isLong) {
    return (
      <textarea {...typed} rows={props.rows}>
        {value}
      </textarea>
    );
  }
  const { inputMode } = props;
  if (type === 'password') return <input type="password" {...typed} inputMode={inputMode} />;
  if (type === 'email') return <input type="email" {...typed} inputMode={inputMode} value={value} />;
  return <input type="text" {...typed} inputMode={inputMode} value={value} />;
}

interface FormProps {
  readonly action: string;
  readonly fields: readonly FieldProps[];
  readonly button: string;
  readonly isQuiet?: boolean;
  readonly errors?: FieldErrors | null;
  /** Hidden fields, by name; empty ones are left out. */
  readonly hidden?: Readonly<Record<string, string>>;
}

/** A form of fields, without the browser's validation: the server reports errors. */
export function Form({ action, fields, button, isQuiet = false, errors = null, hidden = {} }: FormProps) {
  return (
    <form method="post" action={action} novalidate>
      <HiddenFields fields={hidden} />
      {fields.map((field) => (
        <Field key={field.name} errors={errors} {...field} />
      ))}
      <button type="submit" class={isQuiet ? 'quiet' : undefined}>
        {button}
      </button>
    </form>
  );
}

/** An error of the whole form: its first sentence is the heading. Gets the focus. */
export function ErrorSummary({ message }: { readonly message: string }) {
  const [first, ...others] = message.split(/(?<=\.) (?=\p{Lu})/u);
  return (
    <div class="note is-f" role="alert" tabIndex={-1} data-focus>
      <h2>{first}</h2>
      {others.length > 0 && <p>{others.join(' ')}</p>}
    </div>
  );
}

export const FREE_HINT = 'Free, no account. Under a minute.';

interface SiteFieldProps {
  readonly label?: string;
  /** True if the heading above it says the same. */
  readonly isLabelHidden?: boolean;
  readonly hint?: string;
  readonly value?: string;
  readonly errors?: FieldErrors | null;
  readonly button: string;
  /** True if the page has another main button. */
  readonly isQuiet?: boolean;
}

export function ScanForm(field: Omit<SiteFieldProps, 'button'>) {
  return (
    <form method="post" action={SCAN_PATHS.form}>
      <SiteField {...field} button="Scan" />
    </form>
  );
}

/** A field for the address of a site, with its button. */
export function SiteField({
  label = 'Your site',
  isLabelHidden,
  value = '',
  errors,
  button,
  ...props
}: SiteFieldProps) {
  const message = errors?.site;
  const notes = { name: 'site', message, hint: message === undefined ? props.hint : undefined };
  return (
    <>
      <label for="site" class={isLabelHidden ? 'hide' : undefined}>
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
          aria-describedby={describedBy(notes)}
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
