import { domainToUnicode } from 'node:url';
import type { ComponentChildren, JSX } from 'preact';
import type { Link } from './layout.js';

/** Host names longer than this are set smaller. */
const LONG_CHARS = 30;

export interface MastProps {
  /** The way here, from the outermost; the page itself is not among them. */
  readonly crumbs?: readonly Link[];
  /** What the page itself is called in the way here. */
  readonly here?: ComponentChildren;
  /** What it is, in marks and chips above the title. */
  readonly tags?: ComponentChildren;
  /** What came out, rather than what the page is called. */
  readonly title: ComponentChildren;
  /** Whether the title is a host name of more than 30 characters. */
  readonly isLong?: boolean;
  readonly lead?: ComponentChildren;
  /** What can be done here, next to the title. */
  readonly actions?: ComponentChildren;
  /** The pages of the same thing, in a row at its foot. */
  readonly tabs?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A page's head: the way here, the answer, what can be done. */
export function Mast({ crumbs, here, tags, title, isLong, lead, actions, tabs, children }: MastProps): JSX.Element {
  const heading = (
    <>
      <h1 class={isLong ? 'long' : undefined}>{title}</h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </>
  );
  return (
    <div class={tabs === undefined ? 'mast' : 'mast tabbed'}>
      <div class="w">
        {crumbs !== undefined && (
          <nav class="crumb" aria-label="The way here">
            {crumbs.map(([href, label]) => (
              <a key={href} href={href}>
                {label}
              </a>
            ))}
            {here !== undefined && <span>{here}</span>}
          </nav>
        )}
        {tags !== undefined && <div class="row tags">{tags}</div>}
        {actions === undefined ? (
          heading
        ) : (
          <div class="row apart">
            <div>{heading}</div>
            <div class="row">{actions}</div>
          </div>
        )}
        {children}
        {tabs}
      </div>
    </div>
  );
}

export interface TabBarProps {
  readonly label: string;
  readonly links: readonly Link[];
  /** The path of the page itself. */
  readonly at: string;
}

/** Links to the pages of one thing. */
export function TabBar({ label, links, at }: TabBarProps): JSX.Element {
  return (
    <nav aria-label={label}>
      <ul class="tabbar">
        {links.map(([href, name]) => (
          <li key={href}>
            <a href={href} aria-current={href === at ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export interface HostNameProps {
  /** As it is stored: international names as A-labels, with a port where it has one. */
  readonly name: string;
  /** Whether it is followed by its {@link AsciiName}. */
  readonly isDouble?: boolean;
  /** In how many characters: a list has one line for it. By default as many as it has. */
  readonly max?: number;
}

/** A host name as its owner writes it: left to right whatever its script, and it may break after each dot. */
export function HostName({ name, isDouble = false, max = Infinity }: HostNameProps): JSX.Element {
  const whole = unicodeOf(name);
  const shown = cutName(name, max);
  return (
    <>
      <bdi dir="ltr" title={shown === whole ? undefined : whole}>
        {shown.split('.').flatMap((label, index) => (index === 0 ? [label] : ['.', <wbr key={index} />, label]))}
      </bdi>
      {isDouble && <AsciiName name={name} max={max} />}
    </>
  );
}

/** An international name in A-labels, by which two that look alike are told apart; nothing of another. */
export function AsciiName({ name, max = Infinity }: Omit<HostNameProps, 'isDouble'>): JSX.Element | null {
  if (unicodeOf(name) === name) return null;
  return (
    <>
      {' '}
      <code class="soft w4">{cutText(name, max)}</code>
    </>
  );
}

/** The same in at most `max` characters: what is too long is cut in the middle, so that the registered domain stays. */
export function cutName(name: string, max: number): string {
  return cutText(unicodeOf(name), max);
}

const LETTERS = new Intl.Segmenter();

/** A text of somebody's in at most `max` letters, cut in the middle. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const letters = Array.from(LETTERS.segment(text), ({ segment }) => segment);
  const end = Math.ceil(max / 2);
  return letters.length <= max ? text : [...letters.slice(0, max - end - 1), '…', ...letters.slice(-end)].join('');
}

/** A host name with its international labels in their own script; those that cannot be shown so stay as they are. */
export function unicodeOf(name: string): string {
  if (!name.includes('xn--')) return name;
  const [host = name, port] = name.split(':');
  const shown = domainToUnicode(host) || host;
  return port === undefined ? shown : `${shown}:${port}`;
}

/** Whether a host name is set smaller in a heading. */
export function isLongName(name: string): boolean {
  return unicodeOf(name).length > LONG_CHARS;
}

export interface ScoreProps {
  readonly score: number | null;
  /** What is left to do, such as `4 things to fix`. */
  readonly words: ComponentChildren;
  /** What changed since. */
  readonly change?: ComponentChildren;
}

/** The one figure that matters. Null is not zero: then words stand in its place. */
export function Score({ score, words, change }: ScoreProps): JSX.Element {
  return (
    <p class="score">
      {score === null ? <b class="words">No score</b> : <b class={score === 100 ? 'num one' : 'num'}>{score}</b>}
      <span>
        {score !== null && <span class="soft">of 100</span>}
        <strong>{words}</strong>
        {change !== undefined && <span class="soft">{change}</span>}
      </span>
    </p>
  );
}

interface ScoreFigureProps {
  readonly score: number | null;
  /** True if words next to it say that there is none. */
  readonly isSaid?: boolean;
}

/** A score in a row: a dash if a run has none, which is not zero. */
export function ScoreFigure({ score, isSaid = false }: ScoreFigureProps): JSX.Element {
  if (score !== null) return <>{score}</>;
  return (
    <>
      <span class="soft w4" aria-hidden="true">
        –
      </span>
      {!isSaid && <span class="hide">no score</span>}
    </>
  );
}

/** A section with an ink rule: its name and meaning in the gutter, rows at the right. */
export function Group({
  title,
  meaning,
  level: Heading = 'h2',
  id,
  children,
}: {
  readonly title: ComponentChildren;
  readonly meaning?: ComponentChildren;
  /** `h3` within a section. */
  readonly level?: 'h2' | 'h3';
  /** Where links lead to it. */
  readonly id?: string | undefined;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="group" id={id}>
      <header>
        <Heading>{title}</Heading>
        {meaning}
      </header>
      <div>{children}</div>
    </section>
  );
}
