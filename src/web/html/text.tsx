import type { ComponentChildren, JSX } from 'preact';
import { formatRelative, formatUtc } from './format.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { toneOf } from './icons.js';

/** A relative time; the exact one is its title, and shows on paper. */
export function Time({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatRelative(new Date(at), now)}
      <span class="exact"> ({formatUtc(at)})</span>
    </time>
  );
}

/** Quoted code, such as `rel="alternate"`. */
const QUOTED = /((?:(?<![\w-])[\w-]{1,40}=)?)"([^"\n]+)"/;
const SAID = /^\p{L}[\p{L}\p{N} ,.'’-]*$/u;

/** A name such as OAI-SearchBot, which must not break at its hyphen. */
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

/** Typesets our own words: quoted code as code, quotation marks and apostrophes curly. */
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
}

/** A text to paste elsewhere. Script adds a button that copies it. */
export function Snippet({ text, label }: SnippetProps): JSX.Element {
  return (
    <div class="code" role="group" aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}

interface CalloutProps {
  /** Sets the colour. */
  readonly result?: Result;
  readonly role?: 'note' | 'status';
  readonly children: ComponentChildren;
}

/** A message that stands out. */
export function Callout({ result, children, ...more }: CalloutProps): JSX.Element {
  return (
    <div class={result === undefined ? 'note' : `note ${toneOf(result)}`} {...more}>
      <p>{children}</p>
    </div>
  );
}

/** Reports success. Screen readers announce it. */
export function Notice({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <Callout result="PASS" role="status">
      {children}
    </Callout>
  );
}
