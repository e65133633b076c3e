import type { ComponentChildren, JSX } from 'preact';
import type { FieldErrors } from '../server/form.js';
import { Icon, type IconName } from './icons.js';

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'password';
  /** Offers these instead: values and their labels. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** A sentence that helps to fill it in. */
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
export function Field(props: FieldProps): JSX.Element {
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

/** The hint and the error of a field or a group of them. */
export function FieldNotes({ name, hint, message }: Notes): JSX.Element {
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
export function notesOf({ name, hint, message }: Notes): string | undefined {
  const ids = [message !== undefined && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

function Control(props: FieldProps & { readonly message: string | undefined }): JSX.Element {
  const { name, value, type = 'text', options, message, isVerbatim } = props;
  const common = {
    id: name,
    name,
    'aria-invalid': message === undefined ? undefined : true,
    'aria-describedby': notesOf(props),
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
  /** The label of the button. */
  readonly button: string;
  readonly isQuiet?: boolean;
  readonly errors?: FieldErrors | null;
  /** Hidden fields, by name; empty ones are left out. */
  readonly hidden?: Readonly<Record<string, string>>;
}

/** A form of fields, without the browser's validation: the server reports errors. */
export function Form({ action, fields, button, isQuiet = false, errors = null, hidden = {} }: FormProps): JSX.Element {
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

function HiddenFields({ fields }: { readonly fields: Readonly<Record<string, string>> }): JSX.Element {
  const filled = Object.entries(fields).filter(([, value]) => value !== '');
  return (
    <>
      {filled.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** An error of the whole form: its first sentence is the heading. Gets the focus. */
export function ErrorSummary({ message }: { readonly message: string }): JSX.Element {
  const [first, ...others] = message.split(/(?<=\.) (?=\p{Lu})/u);
  return (
    <div class="note is-f" role="alert" tabIndex={-1} data-focus>
      <h2>{first}</h2>
      {others.length > 0 && <p>{others.join(' ')}</p>}
    </div>
  );
}

/** One solid button per view, for the likely next step; `quiet` and `bare` for others, `danger` to delete. */
export type ButtonKind = 'solid' | 'quiet' | 'bare' | 'danger';

export interface ActionButtonProps {
  readonly action: string;
  readonly children: ComponentChildren;
  readonly kind?: ButtonKind;
  /** True in a row of text. */
  readonly isTight?: boolean;
  readonly icon?: IconName;
  /** Accessible name if several buttons have the same text; it begins with that text. */
  readonly label?: string;
  /** True if script submits it and updates the page in place. */
  readonly isInPlace?: boolean;
  /** Hidden fields, by name. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** A form that is only a button. */
export function ActionButton(props: ActionButtonProps): JSX.Element {
  const { action, children, kind = 'solid', isTight = false, isInPlace, icon, label, fields = {} } = props;
  const classes = [kind !== 'solid' && kind, isTight && 'tight'].filter(Boolean).join(' ');
  return (
    <form method="post" action={action} data-in-place={isInPlace}>
      <HiddenFields fields={fields} />
      <button type="submit" class={classes || undefined} aria-label={label}>
        {icon !== undefined && <Icon name={icon} />}
        {children}
      </button>
    </form>
  );
}
