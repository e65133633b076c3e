import type { ComponentChildren, JSX } from 'preact';
import { HostName, isLongName, Mast, type MastProps, TabBar, unicodeOf } from '../../../web/kit/components/mast.js';
import type { Link } from '../../../web/kit/layout.js';
import type { Site } from '../site.js';
import { addressOf } from './addresses.js';

export interface SiteMastProps extends Omit<MastProps, 'title' | 'crumbs' | 'here' | 'isLong' | 'tabs'> {
  readonly site: Pick<Site, 'id' | 'hostname'>;
  /** What came out, where it is more than the site's name. */
  readonly title?: ComponentChildren;
  /** How it came to be, where that is not its owner's doing. */
  readonly note?: string | undefined;
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
  note,
  at,
  below,
  hasTabs = true,
  children,
  ...mast
}: SiteMastProps): JSX.Element {
  const { id, hostname } = site;
  const tabs: readonly Link[] = [
    [addressOf.site(id), 'Latest run'],
    [addressOf.runs(id), 'Runs'],
    [addressOf.automation(id), 'Automation'],
    [addressOf.settings(id), 'Settings'],
  ];
  const own: readonly Link[] =
    below === undefined ? [] : [[addressOf.site(id), unicodeOf(hostname)], ...(below.crumbs ?? [])];
  return (
    <Mast
      {...mast}
      crumbs={[['/sites', 'Sites'], ...own]}
      here={below?.here ?? <HostName name={hostname} />}
      title={title ?? <HostName name={hostname} />}
      isLong={title === undefined && isLongName(hostname)}
      tabs={hasTabs ? <TabBar label="Pages of this site" links={tabs} at={at} /> : undefined}
    >
      {note !== undefined && <p class="small soft">{note}</p>}
      {children}
    </Mast>
  );
}
