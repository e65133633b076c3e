import type { ComponentChildren, JSX } from 'preact';
import type { Site } from '../../app/sites/site.js';
import { cutName, HostName, PageHeader, type PageHeaderProps, TabBar } from '../html/page-header.js';
import { addressOf, type Link } from '../server/paths.js';

/** Host names in the breadcrumbs are cut: the title has the whole name. */
export const CRUMB_CHARS = 32;

export interface SiteHeaderProps extends Pick<PageHeaderProps, 'tags' | 'lead' | 'actions' | 'children'> {
  /** `verifiedAt` names the first tab: an unverified site has no latest run there. */
  readonly site: Pick<Site, 'id' | 'hostname'> & Partial<Pick<Site, 'verifiedAt'>>;
  /** Title of the page; the site's name if left out. */
  readonly title?: ComponentChildren;
  /** Path of the page's tab. */
  readonly at: string;
  /** Set for a page below a tab: more breadcrumbs, and the name of the page in them. */
  readonly below?: { readonly crumbs?: readonly Link[]; readonly here: ComponentChildren };
}

/** Header of a site's pages, with their tabs. */
export function SiteHeader({ site, title, at, below, children, ...header }: SiteHeaderProps): JSX.Element {
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
