import type { ComponentChildren, JSX } from 'preact';
import { formatRelative, formatUtc } from '../format.js';
import type { Result } from '../../../scanner/verdict/vocabulary.js';
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

/** A text of ours as print has it: quoted code is set as code, and quotation marks and apostrophes are curly. */
export function Words({ text }: { readonly text: string }): JSX.Element {
  const [before = '', name, quoted, ...after] = text.split(QUOTED);
  const plain = before.replaceAll(/(?<=\p{L})'/gu, '’');
  if (quoted === undefined) return <>{plain}</>;
  const rest = text.slice(before.length + (name ?? '').length + quoted.length + 2);
  return (
    <>
      {plain}
      {name === '' && SAID.test(quoted) ? `“${quoted}”` : <code>{name ? `${name}"${quoted}"` : quoted}</code>}
      {after.length > 0 && <Words text={rest} />}
    </>
  );
}

/** A text to paste elsewhere. Where script can copy, it adds a button. */
export function Snippet({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  return (
    <div class="code" role="group" aria-label={label}>
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
  /** What script looks for. */
  readonly 'data-outcome'?: string;
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
