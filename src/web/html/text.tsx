import type { ComponentChildren, JSX } from 'preact';
import { formatRelative, formatUtc } from './format.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { toneOf } from './icons.js';

/** A time: relative for people, with the exact one alongside it. */
export function Time({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatRelative(new Date(at), now)}
      <span class="exact"> ({formatUtc(at)})</span>
    </time>
  );
}

/** What is quoted as it is written in a file, rather than said. */
const QUOTED = /((?:(?<![\w-])[\w-]{1,40}=)?)"([^"\n]+)"/;
const SAID = /^\p{L}[\p{L}\p{N} ,.'’-]*$/u;

/** A name such as OAI-SearchBot, which is not broken at its hyphen. */
const NAME = /([A-Z]\w{1,30}-[A-Z][a-z]\w{1,30})/;

function Plain({ text }: { readonly text: string }): JSX.Element {
  const parts = text.replaceAll(/(?<=\p{L})'/gu, '’').split(NAME);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <span key={index} class="nb">
            {part}
          </span>
        ),
      )}
    </>
  );
}

/** A text of ours as print has it: quoted code is set as code, and quotation marks and apostrophes are curly. */
export function Words({ text }: { readonly text: string }): JSX.Element {
  const [before = '', name, quoted, ...after] = text.split(QUOTED);
  if (quoted === undefined) return <Plain text={before} />;
  const rest = text.slice(before.length + (name ?? '').length + quoted.length + 2);
  return (
    <>
      <Plain text={before} />
      {name === '' && SAID.test(quoted) ? `“${quoted}”` : <code>{name ? `${name}"${quoted}"` : quoted}</code>}
      {after.length > 0 && <Words text={rest} />}
    </>
  );
}

interface SnippetProps {
  readonly text: string;
  readonly label: string;
  /** Whether it stands in one line, as an address that nobody reads: what has no room is copied all the same. */
  readonly isLine?: boolean;
}

/** A text to paste elsewhere. Where script can copy, it adds a button. */
export function Snippet({ text, label, isLine = false }: SnippetProps): JSX.Element {
  return (
    <div class={isLine ? 'code line lite' : 'code'} role="group" aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}

interface CalloutProps {
  /** What it is about in a word, which gives it its colour. */
  readonly result?: Result;
  readonly role?: 'note' | 'status';
  readonly children: ComponentChildren;
}

/** What has to be known before the rest is read. */
export function Callout({ result, children, ...more }: CalloutProps): JSX.Element {
  return (
    <div class={result === undefined ? 'note' : `note ${toneOf(result)}`} {...more}>
      <p>{children}</p>
    </div>
  );
}

export interface NoticeProps {
  /** Whether it says that something was done. */
  readonly isDone?: boolean;
  /** Nothing is shown where there is nothing to say. */
  readonly children: ComponentChildren;
}

/** Something that went well, or that one should know. */
export function Notice({ isDone = false, children }: NoticeProps): JSX.Element | null {
  if (children === undefined) return null;
  return (
    <Callout {...(isDone && { result: 'PASS' })} role="status">
      {children}
    </Callout>
  );
}
