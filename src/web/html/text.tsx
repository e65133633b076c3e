import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { toneOf } from './icons.js';
import { countOf } from '../../scanner/artifacts/counts.js';

/** When the page is rendered. */
export const Now = createContext(new Date(0));

/** A relative time; the exact one is its title, and shows on paper. */
export function Time({ at }: { readonly at: string }): JSX.Element {
  const now = useContext(Now);
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatRelative(new Date(at), now)}
      <span class="exact"> ({formatUtc(at)})</span>
    </time>
  );
}

/** `24 Nov, 14:39`, with the year if it is not this one; UTC. */
export function Moment({ at }: { readonly at: string }): JSX.Element {
  return <time dateTime={at}>{formatMoment(at, useContext(Now).toISOString())}</time>;
}

/** Quoted code, such as `rel="alternate"`. */
const QUOTED = /((?:(?<![\w-])[\w-]{1,40}=)?)"([^"\n]+)"/;
const SAID = /^\p{L}[\p{L}\p{N} ,.'’-]*$/u;

/** A name such as OAI-SearchBot or C-BOT-01, which must not break at its hyphens. */
const NAME = /([A-Z]\w{1,30}-[A-Z][a-z]\w{1,30}|C-[A-Z0-9]+-\d\d)/;

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

/** A text to paste elsewhere. Script adds a button that copies it. */
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
  /** Sets the colour. */
  readonly result?: Result;
  readonly role?: 'note' | 'status';
  readonly children: ComponentChildren;
}

/** A highlighted message. */
export function Callout({ result, children, ...more }: CalloutProps): JSX.Element {
  return (
    <div class={result === undefined ? 'note' : `note ${toneOf(result)}`} {...more}>
      <p>{children}</p>
    </div>
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const RELATIVE_DAYS_MAX = 45;

/** `5 minutes ago`, `in 2 hours`; the date if long ago. */
export function formatRelative(at: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - at.getTime()) / 1000);
  const distance = Math.abs(seconds);
  const [unit, unitS] = UNITS.find(([, unitS]) => distance >= unitS) ?? [];
  if (unit === undefined) return seconds >= 0 ? 'just now' : 'in less than a minute';
  if (distance > RELATIVE_DAYS_MAX * 86_400) return `on ${formatDay(at.toISOString(), now.toISOString())}`;
  const words = countOf(Math.floor(distance / unitS), unit);
  return seconds > 0 ? `${words} ago` : `in ${words}`;
}

/** `2026-11-21 14:37 UTC`. */
export function formatUtc(at: string): string {
  return `${at.slice(0, 10)} ${formatTime(at)} UTC`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `9 Sep`, with the year if `other` has another; UTC. */
export function formatDay(at: string, other: string): string {
  const [year = '', month = '', day = ''] = at.slice(0, 10).split('-');
  const words = `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''}`;
  return other.startsWith(year) ? words : `${words} ${year}`;
}

/** `24 Nov, 14:39`, with the year if `other` has another; UTC. */
export function formatMoment(at: string, other: string): string {
  return `${formatDay(at, other)}, ${formatTime(at)}`;
}

export function formatTime(at: string): string {
  return at.slice(11, 16);
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
