import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { countOf } from '../../scanner/artifacts/counts.js';

/** Time at which the page is rendered. */
export const Now = createContext(new Date(0));

/** A relative time, with the exact one as its title and in print. */
export function Time({ at }: { readonly at: string }) {
  const now = useContext(Now);
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatRelative(new Date(at), now)}
      <span class="exact"> ({formatUtc(at)})</span>
    </time>
  );
}

/** `24 Nov, 14:39`, with the year if it is not this one; UTC. */
export function Moment({ at }: { readonly at: string }) {
  return <time dateTime={at}>{formatMoment(at, useContext(Now).toISOString())}</time>;
}

/** Quoted code, such as `rel="alternate"`. */
const QUOTED = /((?:(?<![\w-])[\w-]{1,40}=)?)"([^"\n]+)"/;
const PROSE = /^\p{L}[\p{L}\p{N} ,.'’-]*$/u;

/** A name such as OAI-SearchBot or C-BOT-01, which must not break at its hyphens. */
const NAME = /([A-Z]\w{1,30}-[A-Z][a-z]\w{1,30}|C-[A-Z0-9]+-\d\d)/;

function Plain({ text }: { readonly text: string }) {
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
export function Words({ text }: { readonly text: string }) {
  const [before = '', name, quoted, ...after] = text.split(QUOTED);
  if (quoted === undefined) return <Plain text={before} />;
  const rest = text.slice(before.length + (name ?? '').length + quoted.length + 2);
  return (
    <>
      <Plain text={before} />
      {name === '' && PROSE.test(quoted) ? `“${quoted}”` : <code>{name ? `${name}"${quoted}"` : quoted}</code>}
      {after.length > 0 && <Words text={rest} />}
    </>
  );
}

/** A text to paste elsewhere. Script adds a button that copies it. */
export function Snippet({ text, label }: { readonly text: string; readonly label: string }) {
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
export function Callout({ result, children, ...more }: CalloutProps) {
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

/** `9 Sep`, UTC, with the year unless `other` has the same. */
export function formatDay(at: string, other: string): string {
  const [year = '', month = '', day = ''] = at.slice(0, 10).split('-');
  const words = `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''}`;
  return other.startsWith(year) ? words : `${words} ${year}`;
}

/** `24 Nov, 14:39`, UTC, with the year unless `other` has the same. */
export function formatMoment(at: string, other: string): string {
  return `${formatDay(at, other)}, ${formatTime(at)}`;
}

export function formatTime(at: string): string {
  return at.slice(11, 16);
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Paths in a square of 16 units, in the colour of the text. */
const ICONS = {
  right: 'M6 3.5l4.5 4.5L6 12.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  again: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3 3',
  plus: 'M8 3v10M3 8h10',
  link: 'M6.5 9.5l3-3M7 4.5l1.3-1.3a3 3 0 0 1 4.4 4.4L11 9M5 7L3.4 8.4a3 3 0 0 0 4.3 4.3L9 11.5',
  download: 'M8 2.5v8M4.5 7.5L8 11l3.5-3.5M3 13.5h10',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.3l2.2 1.3',
  play: 'M4.5 3l8 5-8 5z',
  ascending: 'M8 13V3M4 7l4-4 4 4',
  descending: 'M8 3v10M4 9l4 4 4-4',
  mail: 'M2 3.5h12v9H2zM2.5 4l5.5 5 5.5-5',
  globe: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2.2 8h11.6M8 2c3.5 3.5 3.5 8.5 0 12M8 2c-3.5 3.5-3.5 8.5 0 12',
  key: 'M10.5 9a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM8 8l-5.5 5.5M4.5 11.5l2 2',
} as const;
export type IconName = keyof typeof ICONS;

/** An icon next to a word, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

const MARKS: Readonly<Record<Result, readonly [className: string, path: string, word: string]>> = {
  PASS: ['is-p', 'M6 10.4l2.8 2.8 5.4-6', 'Passed'],
  FAIL: ['is-f', 'M7 7l6 6M13 7l-6 6', 'Failed'],
  UNDETERMINED: ['is-u', 'M7.8 7.9a2.3 2.3 0 1 1 3.4 2c-.8.5-1.2.9-1.2 1.7M10 14.2v.1', 'Undetermined'],
  NOT_APPLICABLE: ['is-n', 'M6.5 10h7', 'Does not apply'],
};

/** Returns the class that sets the colour of a result. */
export function toneOf(result: Result): string {
  return MARKS[result][0];
}

export function wordOf(result: Result): string {
  return MARKS[result][2];
}

interface MarkProps {
  readonly result: Result;
  /** False draws a grey outline. */
  readonly scored?: boolean;
  /** True if a word next to the mark says the same: screen readers then skip it. */
  readonly isDecorative?: boolean;
}

export function Mark({ result, scored = true, isDecorative = false }: MarkProps) {
  const [className, path, word] = MARKS[result];
  const isOutline = !scored && (result === 'PASS' || result === 'FAIL');
  return (
    <svg
      class={`mark ${isOutline ? 'is-n outline' : className}`}
      viewBox="0 0 20 20"
      {...(isDecorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word })}
    >
      <rect x="1" y="1" width="18" height="18" rx="5" />
      <path d={path} />
    </svg>
  );
}
