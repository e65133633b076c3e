import type { ComponentChildren, JSX } from 'preact';
import { InputError } from '../../platform/input-error.js';
import { ErrorSummary, Field, type FieldProps } from '../html/form.js';
import { Icon, type IconName } from '../html/icons.js';
import { Group, Mast } from '../html/mast.js';
import type { WebContext } from './context.js';
import { fieldOf, type FieldErrors } from './form.js';
import type { Link } from '../html/layout.js';
import type { Page } from './page.js';
import { Two } from '../html/two.js';

/** The field in which it is typed, by default. */
const NAME = 'name';

/** One thing that goes, or stays. */
export type Item = readonly [icon: IconName, words: ComponentChildren];

/** What is to be typed, and what that is: `the host name`. */
export interface Typed extends Partial<Pick<FieldProps, 'name' | 'inputMode'>> {
  readonly word: string;
  readonly what: string;
}

/** A name with more characters, or with letters that not every keyboard has, is more than a confirmation may ask for. */
const EASY_NAME = /^[ -~]{1,30}$/;

/** So many characters at the end of an id differ from those of whatever else the account has, and nobody types them by habit. */
const ID_END_CHARS = 6;

/** The name of what goes or, where that is hard to type, the end of its id. */
export function typedOf(name: string, what: string, id: string): Typed {
  return EASY_NAME.test(name) ? { word: name, what } : { word: id.slice(-ID_END_CHARS), what: 'the end of its id' };
}

/** What goes for good, once it was confirmed. */
export interface Confirmation {
  readonly title: string;
  /** A question. */
  readonly heading: ComponentChildren;
  /** Whether the heading has a long name in it. */
  readonly isLong?: boolean;
  /** The way here, from the outermost. */
  readonly crumbs: readonly Link[];
  /** What the page is called in the way here: a verb. */
  readonly here: string;
  readonly lead: ComponentChildren;
  /** What becomes of it, in a word: `Removed`. */
  readonly end: string;
  /** What goes with it, at once. */
  readonly goes: readonly Item[];
  readonly stays: readonly Item[];
  /** Next to it: other ways out. */
  readonly rail?: ComponentChildren;
  /** The address that takes it. */
  readonly action: string;
  /** Left out for what is easily made again. */
  readonly typed?: Typed;
  /** Why it cannot be done yet, and what to do first: then nothing is asked for. */
  readonly blocked?: { readonly why: ComponentChildren; readonly first: Link };
  /** What else is asked for. */
  readonly more?: ComponentChildren;
  readonly button: string;
  /** Where a reader goes who keeps it, and what the way there is called: `Keep the site`. */
  readonly kept: Link;
}

/** A page that says what goes and what stays, and asks if you are sure. What was typed is still there when it is shown again. */
export function confirmPage(ctx: WebContext, errors: FieldErrors | null, asked: Confirmation): Page {
  const { title, heading, isLong, crumbs, here, lead, end, goes, stays, rail } = asked;
  return {
    title,
    mast: <Mast crumbs={crumbs} here={here} title={heading} isLong={isLong === true} lead={lead} />,
    main: (
      <Two
        rail={rail}
        end={
          <Group title="Confirm">
            <ErrorSummary errors={errors} />
            {asked.blocked === undefined ? (
              <ConfirmForm {...asked} errors={errors} valueOf={(name) => fieldOf(ctx, name)} />
            ) : (
              <Blocked {...asked} blocked={asked.blocked} />
            )}
          </Group>
        }
      >
        <Group title={`${end} now`} meaning="for good">
          <Items items={goes} />
        </Group>
        {stays.length > 0 && (
          <Group title="Stays">
            <Items items={stays} />
          </Group>
        )}
      </Two>
    ),
  };
}

/** The button that works once what stands in its way is out of it. */
function Blocked({
  blocked: { why, first },
  button,
  kept,
}: Required<Pick<Confirmation, 'blocked' | 'button' | 'kept'>>): JSX.Element {
  return (
    <>
      <p id="blocked">{why}</p>
      <Acts kept={kept}>
        <a class="btn" href={first[0]}>
          {first[1]}
        </a>
        <button type="button" class="danger" disabled aria-describedby="blocked">
          {button}
        </button>
      </Acts>
    </>
  );
}

/** What may be done, and the way back last. */
function Acts({ kept, children }: Pick<Confirmation, 'kept'> & { readonly children: ComponentChildren }) {
  return (
    <div class="row">
      {children}
      <a class="btn bare" href={kept[0]}>
        {kept[1]}
      </a>
    </div>
  );
}

/** What goes, or stays. */
export function Items({ items }: { readonly items: readonly Item[] }): JSX.Element {
  return (
    <ul class="items">
      {items.map(([icon, words], index) => (
        <li key={index}>
          <Icon name={icon} />
          <span>{words}</span>
        </li>
      ))}
    </ul>
  );
}

type FormProps = Pick<Confirmation, 'action' | 'typed' | 'more' | 'button' | 'kept'> & {
  readonly errors: FieldErrors | null;
  readonly valueOf: (name: string) => string;
};

function ConfirmForm(props: FormProps): JSX.Element {
  const { action, typed, more, button, kept, errors, valueOf } = props;
  return (
    <form method="post" action={action} novalidate>
      {typed && (
        <Field
          name={typed.name ?? NAME}
          inputMode={typed.inputMode ?? 'text'}
          label={`Type ${typed.what} to confirm`}
          hint={
            <b>
              <bdi>{typed.word}</bdi>
            </b>
          }
          value={valueOf(typed.name ?? NAME)}
          errors={errors}
          autocomplete="off"
          maxLength={300}
          isVerbatim
        />
      )}
      {more}
      <Acts kept={kept}>
        <button type="submit" class="danger sure">
          {button}
        </button>
      </Acts>
    </form>
  );
}

/**
 * @param done what would have become of it: `removed`
 * @throws InputError where anything else was typed
 */
export function assertTyped(ctx: WebContext, { word, name: field = NAME }: Omit<Typed, 'what'>, done: string): void {
  if (fieldOf(ctx, field).trim().toLowerCase() === word.toLowerCase()) return;
  throw new InputError(`That does not match. Nothing was ${done}.`, field);
}
