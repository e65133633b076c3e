import type { ComponentChildren, JSX } from 'preact';
import { cutName, HostName, isLongName, Mast, type MastProps, TabBar } from '../../../web/kit/components/mast.js';
import type { Link } from '../../../web/kit/layout.js';
import type { Site } from '../site.js';
import type { SiteNote } from '../site-note.js';
import { addressOf } from './addresses.js';

/** A name in the way here is short: the title has it whole. */
export const CRUMB_CHARS = 32;

export interface SiteMastProps extends Omit<MastProps, 'title' | 'crumbs' | 'here' | 'isLong' | 'tabs'> {
  /** Before its domain is proved to be its owner's, its first page says how to. */
  readonly site: Pick<Site, 'id' | 'hostname'> & Partial<Pick<Site, 'verifiedAt'>>;
  /** What came out, where it is more than the site's name. */
  readonly title?: ComponentChildren;
  /** Whether that title has the site's name, too. */
  readonly isNamed?: boolean;
  readonly note?: SiteNote | undefined;
  /** The path of the tab that the page belongs to. */
  readonly at: string;
  /** Where the page lies below a tab: the way from there, and what the page is called. */
  readonly below?: { readonly crumbs?: readonly Link[]; readonly here: ComponentChildren };
  readonly hasTabs?: boolean;
}

/** The head of every page of one site, with its tabs; without, where a page asks one question. */
export function SiteMast({
  site,
  title,
  isNamed = title === undefined,
  note,
  at,
  below,
  hasTabs = true,
  children,
  ...mast
}: SiteMastProps): JSX.Element {
  const { id, hostname } = site;
  const tabs: readonly Link[] = [
    [addressOf.site(id), site.verifiedAt === null ? 'Verify' : 'Latest run'],
    [addressOf.runs(id), 'Runs'],
    [addressOf.automation(id), 'Automation'],
    [addressOf.settings(id), 'Settings'],
  ];
  const own: readonly Link[] =
    below === undefined ? [] : [[addressOf.site(id), cutName(hostname, CRUMB_CHARS)], ...(below.crumbs ?? [])];
  return (
    <Mast
      {...mast}
      crumbs={[['/sites', 'Sites'], ...own]}
      here={below?.here ?? <HostName name={hostname} max={CRUMB_CHARS} />}
      title={title ?? <HostName name={hostname} />}
      isLong={isNamed && isLongName(hostname)}
      tabs={hasTabs ? <TabBar label="Pages of this site" links={tabs} at={at} /> : undefined}
    >
      {note !== undefined && (
        <p class="small soft">
          <b>{note.what}.</b> {note.how}
        </p>
      )}
      {children}
    </Mast>
  );
}
