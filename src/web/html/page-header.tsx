import { domainToUnicode } from 'node:url';
import type { ComponentChildren } from 'preact';
import { addressOf, type Link } from '../server/paths.js';

export interface PageHeaderProps {
  /** Breadcrumbs, from the outermost, without the page itself. */
  readonly crumbs?: readonly Link[];
  /** The name of the page in the breadcrumbs. */
  readonly here?: ComponentChildren;
  /** Marks and chips above the title. */
  readonly tags?: ComponentChildren;
  /** States the result, such as `2 new failures`, rather than the name of the page. */
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly tabs?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function PageHeader({ crumbs, here, tags, title, lead, actions, tabs, children }: PageHeaderProps) {
  const heading = (
    <>
      <h1>{title}</h1>
      {lead && <p class="lead">{lead}</p>}
    </>
  );
  return (
    <div class={tabs === undefined ? 'page-header' : 'page-header has-tabs'}>
      <div class="w">
        {crumbs !== undefined && (
          <nav class="breadcrumbs" aria-label="Breadcrumbs">
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
  readonly at: string;
}

export function TabBar({ label, links, at }: TabBarProps) {
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

/** Longer host names are cut in breadcrumbs: the title has the whole name. */
export const CRUMB_CHARS = 32;

export interface SiteHeaderProps extends Pick<PageHeaderProps, 'tags' | 'lead' | 'actions' | 'children'> {
  /** If `verifiedAt` is null, the first tab verifies the site, instead of showing its latest run. */
  readonly site: { readonly id: string; readonly hostname: string; readonly verifiedAt?: string | null };
  /** Title of the page; the site's name if left out. */
  readonly title?: ComponentChildren;
  /** Path of the page's tab. */
  readonly at: string;
  /** Set for a page below a tab: more breadcrumbs, and the name of the page in them. */
  readonly below?: { readonly crumbs?: readonly Link[]; readonly here: ComponentChildren };
}

export function SiteHeader({ site, title, at, below, children, ...header }: SiteHeaderProps) {
  const { id, hostname } = site;
  const tabs: readonly Link[] = [
    [addressOf.site(id), site.verifiedAt === null ? 'Verify' : 'Latest run'],
    [addressOf.runs(id), 'Runs'],
    [addressOf.automation(id), 'Automation'],
    [addressOf.settings(id), 'Settings'],
  ];
  const own: readonly Link[] = below
    ? [[addressOf.site(id), cutName(hostname, CRUMB_CHARS)], ...(below.crumbs ?? [])]
    : [];
  return (
    <PageHeader
      {...header}
      crumbs={[['/sites', 'Sites'], ...own]}
      here={below?.here ?? <HostName name={hostname} max={CRUMB_CHARS} />}
      title={title ?? <HostName name={hostname} />}
      tabs={<TabBar label="Pages of this site" links={tabs} at={at} />}
    >
      {children}
    </PageHeader>
  );
}

export interface HostNameProps {
  /** As stored: international names as A-labels, with a port if it has one. */
  readonly name: string;
  /** True if the {@link AsciiName} follows. */
  readonly showsAscii?: boolean;
  /** Maximum length; unlimited by default. */
  readonly max?: number;
}

/** A host name in Unicode: left to right in every script, with a line break allowed after each dot. */
export function HostName({ name, showsAscii = false, max = Infinity }: HostNameProps) {
  const whole = unicodeOf(name);
  const shown = cutName(name, max);
  return (
    <>
      <bdi dir="ltr" title={shown === whole ? undefined : whole}>
        {shown.split('.').flatMap((label, index) => (index === 0 ? [label] : ['.', <wbr key={index} />, label]))}
      </bdi>
      {showsAscii && <AsciiName name={name} max={max} />}
    </>
  );
}

/** The A-labels of an international name, which tell lookalikes apart; nothing for other names. */
export function AsciiName({ name, max = Infinity }: Omit<HostNameProps, 'showsAscii'>) {
  if (unicodeOf(name) === name) return null;
  return (
    <>
      {' '}
      <code class="soft w4">{cutText(name, max)}</code>
    </>
  );
}

/** Shortens a host name in the middle, so that the registered domain stays. */
export function cutName(name: string, max: number): string {
  return cutText(unicodeOf(name), max);
}

const LETTERS = new Intl.Segmenter();

/** Shortens a text to `max` letters, in the middle. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const letters = Array.from(LETTERS.segment(text), ({ segment }) => segment);
  const end = Math.ceil(max / 2);
  return letters.length <= max ? text : [...letters.slice(0, max - end - 1), '…', ...letters.slice(-end)].join('');
}

/** Returns a host name in Unicode; A-labels that are invalid stay. */
export function unicodeOf(name: string): string {
  if (!name.includes('xn--')) return name;
  const [host = name, port] = name.split(':');
  const shown = domainToUnicode(host) || host;
  return port === undefined ? shown : `${shown}:${port}`;
}

export interface ScoreProps {
  readonly score: number | null;
  /** Such as `4 things to fix`. */
  readonly words: ComponentChildren;
  /** Below the words, such as what changed. */
  readonly change?: ComponentChildren;
}

/** The score in large figures. Null is not zero: it shows words. */
export function Score({ score, words, change }: ScoreProps) {
  return (
    <p class="score">
      {score === null ? <b class="words">No score</b> : <b class="num">{score}</b>}
      <span>
        {score !== null && <span class="soft">of 100</span>}
        <strong>{words}</strong>
        {change !== undefined && <span class="soft">{change}</span>}
      </span>
    </p>
  );
}
