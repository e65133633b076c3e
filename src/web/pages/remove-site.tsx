import type { NumberedSite } from '../../app/sites/site.js';
import { assertTyped, type Confirmation, confirmPage, type Typed, typedOf } from '../server/confirm.js';
import { cutName, HostName, isLongName, unicodeOf } from '../html/mast.js';
import { seeOther } from '../server/context.js';
import { addForm } from '../server/form.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { listPublished } from '../../app/publications/publications.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnSite } from '../server/requested-site.js';
import { CRUMB_CHARS } from './site-mast.js';
import { RailText } from '../html/two.js';

/** Removes a site, after its name is typed. The page lists what is deleted with it. */
export const addRemovePage: Part = (router, deps) => {
  const { sites, siteRemoval, sendPage } = deps;
  addForm(router, sendPage, {
    path: '/sites/:siteId/remove',
    load: (ctx) => loadOwnSite(ctx, { sites }),
    async submit(ctx, site) {
      assertTyped(ctx, typedFor(site), 'removed');
      await siteRemoval.removeOwn(site);
      seeOther(ctx, '/sites?notice=removed');
    },
    render: async (ctx, site, errors) =>
      confirmPage(ctx, errors, {
        title: `Remove ${site.hostname}`,
        heading: (
          <>
            Remove <HostName name={site.hostname} max={CRUMB_CHARS} />?
          </>
        ),
        isLong: isLongName(site.hostname),
        crumbs: [
          ['/sites', 'Sites'],
          [addressOf.site(site.id), cutName(site.hostname, CRUMB_CHARS)],
        ],
        here: 'Remove',
        lead: (
          <>
            {isNameAltered(site) && <span class="mono tiny whole">{site.hostname}</span>}
            This cannot be undone. Here is what we delete.
          </>
        ),
        end: 'Removed',
        goes: [...runItems(site), ...(await activeItems(deps, site)), idItem(site)],
        stays: [
          ['key', 'Your API keys; their requests for this site are refused'],
          ['lock', 'The entry in your activity, for a year'],
          [
            'plus',
            'Your published proof: it still counts if you add the site again. The site then gets a new id and no old runs.',
          ],
        ],
        rail: (
          <>
            <RailText title="Want fewer runs?">
              Turn off <a href={addressOf.automation(site.id)}>automatic runs</a> and keep the history.
            </RailText>
            <RailText title="Keep a copy?">
              Export your data from <a href="/account">your account</a> first. The runs are in it.
            </RailText>
          </>
        ),
        action: addressOf.remove(site.id),
        typed: typedFor(site),
        button: 'Remove site',
        kept: [addressOf.site(site.id), 'Keep the site'],
      }),
  });
};

type Items = Confirmation['goes'];

/** True if the heading shows the name decoded or cut. */
function isNameAltered({ hostname }: NumberedSite): boolean {
  return unicodeOf(hostname) !== hostname || isLongName(hostname);
}

function typedFor({ hostname, id }: NumberedSite): Typed {
  return typedOf(unicodeOf(hostname), 'the host name', id);
}

function runItems({ latestNumber }: NumberedSite): Items {
  if (latestNumber === 0) return [];
  return [
    ['clock', `${countOf(latestNumber, 'run')} with all findings and scores`],
    ['search', 'The evidence of their failures'],
  ];
}

/** Lists what runs automatically or is public. */
async function activeItems(deps: PartDeps, site: OwnSite): Promise<Items> {
  const { schedules, deployHooks, webhooks } = deps;
  const [{ frequency }, hook, { badge, reports }, own] = await Promise.all([
    schedules.get(site),
    deployHooks.find(site),
    listPublished(deps.db, site),
    webhooks.ofSite(site),
  ]);
  return [
    ...(reports.length > 0 ? [['globe', describeReports(reports.length)] as const] : []),
    ...(badge === null ? [] : [['link', 'Its badge: the picture’s address stops working'] as const]),
    ...(hook === null ? [] : [['play', 'Its deploy hook: the address stops working'] as const]),
    ...(frequency === null ? [] : [['again', `Its schedule: ${frequency.toLowerCase()}`] as const]),
    ...(own.length === 0 ? [] : [['bell', `${countOf(own.length, 'webhook')} for its alerts alone`] as const]),
  ];
}

function describeReports(count: number): string {
  return count === 1
    ? 'Its public report: the address stops working'
    : `Its ${count} public reports: their addresses stop working`;
}

function idItem({ id }: NumberedSite): Items[number] {
  return [
    'hash',
    <>
      Its id <code>{id}</code>
    </>,
  ];
}
