import type { ComponentChildren, JSX } from 'preact';
import type { FieldErrors } from '../server/form.js';
import { splitDetail } from './detail.js';
import { Icon, type IconName } from './icons.js';

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'password';
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
  /** True if the error of the form is about this field and others. */
  readonly isInvalid?: boolean;
  /** True if it gets the focus without an error of its own. */
  readonly isFirst?: boolean;
}

/** A text field with its label, hint and error. Keeps what was typed, except passwords. */
export function Field(props: FieldProps): JSX.Element {
  const { name, label, hint, errors } = props;
  const message = errors?.[name];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <Hint {...{ name, hint }} />
      <Input {...props} message={message} />
      <Wrong {...{ name, message }} />
    </div>
  );
}

interface Notes {
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly message: string | undefined;
}

/** The hint and the error of a group of fields. */
export function FieldNotes(notes: Notes): JSX.Element {
  return (
    <>
      <Hint {...notes} />
      <Wrong {...notes} />
    </>
  );
}

function Hint({ name, hint }: Pick<Notes, 'name' | 'hint'>): JSX.Element | null {
  if (hint === undefined) return null;
  return (
    <p class="hint" id={`${name}-hint`}>
      {hint}
    </p>
  );
}

function Wrong({ name, message }: Pick<Notes, 'name' | 'message'>): JSX.Element | null {
  if (message === undefined) return null;
  return (
    <p class="wrong" id={`${name}-error`}>
      {message}
    </p>
  );
}

/** Returns the ids of the {@link FieldNotes} of a field, for `aria-describedby`. */
export function notesOf({ name, hint, message }: Notes): string | undefined {
  const ids = [...(message === undefined ? [] : [`${name}-error`]), ...(hint === undefined ? [] : [`${name}-hint`])];
  return ids.length > 0 ? ids.join(' ') : undefined;
}

function Input(props: FieldProps & { readonly message: string | undefined }): JSX.Element {
  const { name, value, type = 'text', required = true, message } = props;
  const { isVerbatim = false, isInvalid = false, isFirst = false, isLong = false } = props;
  const common = {
    id: name,
    name,
    required,
    autocomplete: props.autocomplete,
    maxLength: props.maxLength,
    autocapitalize: isVerbatim ? ('none' as const) : undefined,
    spellcheck: isVerbatim ? false : undefined,
    'aria-invalid': message !== undefined || isInvalid ? true : undefined,
    'aria-describedby': notesOf(props),
    autofocus: message !== undefined || isFirst,
  };
  if (isLong)
    return (
      <textarea {...common} rows={props.rows}>
        {value}
      </textarea>
    );
  const { inputMode } = props;
  if (type === 'password') return <input type="password" {...common} inputMode={inputMode} />;
  return type === 'email' ? (
    <input type="email" {...common} inputMode={inputMode} value={value} />
  ) : (
    <input type="text" {...common} inputMode={inputMode} value={value} />
  );
}

/**
 * What is wrong with a form as a whole, at its top: the focus goes here. What is wrong with a field stands at that field alone, which then
 * has the focus.
 */
export function ErrorSummary({ errors }: { readonly errors: FieldErrors | null }): JSX.Element | null {
  const message = errors?.[''];
  if (message === undefined) return null;
  const [first, rest] = splitDetail({ detail: message }, 0);
  return (
    <div class="note is-f" role="alert" tabIndex={-1} data-focus>
      <h2>{first}</h2>
      {rest !== '' && <p>{rest}</p>}
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
  const classes = [...(kind === 'solid' ? [] : [kind]), ...(isTight ? ['tight'] : [])].join(' ');
  return (
    <form method="post" action={action} data-in-place={isInPlace}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={classes === '' ? undefined : classes} aria-label={label}>
        {icon !== undefined && <Icon name={icon} />}
        {children}
      </button>
    </form>
  );
}
