import type { ComponentChildren, JSX } from 'preact';
import { cutName, HostName, isLongName, PageHeader, type PageHeaderProps, TabBar } from '../html/page-header.js';
import type { Link } from '../html/layout.js';
import type { Site, SiteNote } from '../../app/sites/site.js';
import { addressOf } from '../server/site-paths.js';

/** Host names in the breadcrumbs are cut: the title has the whole name. */
export const CRUMB_CHARS = 32;

interface SiteHeaderProps extends Omit<PageHeaderProps, 'title' | 'crumbs' | 'here' | 'isLong' | 'tabs'> {
  /** `verifiedAt` names the first tab: an unverified site has no latest run there. */
  readonly site: Pick<Site, 'id' | 'hostname'> & Partial<Pick<Site, 'verifiedAt'>>;
  /** Title of the page; the site's name if left out. */
  readonly title?: ComponentChildren;
  /** True if the title contains the site's name. */
  readonly isNamed?: boolean;
  readonly note?: SiteNote | undefined;
  /** Path of the page's tab. */
  readonly at: string;
  /** Set for a page below a tab: more breadcrumbs, and the name of the page in them. */
  readonly below?: { readonly crumbs?: readonly Link[]; readonly here: ComponentChildren };
  readonly hasTabs?: boolean;
}

/** Header of a site's pages, with their tabs. */
export function SiteHeader({
  site,
  title,
  isNamed = title === undefined,
  note,
  at,
  below,
  hasTabs = true,
  children,
  ...mast
}: SiteHeaderProps): JSX.Element {
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
    <PageHeader
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
    </PageHeader>
  );
}
