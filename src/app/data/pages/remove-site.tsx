import type { NumberedSite } from '../../sites/site.js';
import { assertTyped, type Confirmation, confirmPage, type Typed, typedOf } from '../../../web/kit/confirm.js';
import { cutName, HostName, isLongName, unicodeOf } from '../../../web/kit/components/mast.js';
import { seeOther } from '../../../web/kit/context.js';
import { addForm } from '../../../web/kit/form.js';
import { countOf } from '../../../platform/counts.js';
import type { Part, PartDeps } from '../../part.js';
import type { OwnSite } from '../../sites/own-site.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownSite } from '../../sites/pages/asked-site.js';
import { CRUMB_CHARS } from '../../sites/pages/site-mast.js';
import { RailText } from '../../../web/kit/components/two.js';

/** Removing a site says what goes with it, and asks for its name. */
export const addRemovePage: Part = (router, deps) => {
  const { sites, siteRemoval, sendPage } = deps;
  addForm(router, sendPage, {
    path: '/sites/:siteId/remove',
    load: (ctx) => ownSite(ctx, { sites }),
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
            {isToldWhole(site) && <span class="mono tiny whole">{site.hostname}</span>}
            This cannot be undone. Here is what goes with it.
          </>
        ),
        end: 'Removed',
        goes: [...whatRan(site), ...(await whatIsOn(deps, site)), idOf(site)],
        stays: [
          ['key', 'Your API keys; their requests for this site are refused'],
          ['lock', 'The entry in your activity, for a year'],
          ['plus', 'A proof that you published: add the site again and it still counts. Id and runs start afresh.'],
        ],
        rail: (
          <>
            <RailText title="Only fewer runs?">
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

/** Whether the heading has its name in other letters, or not all of it. */
function isToldWhole({ hostname }: NumberedSite): boolean {
  return unicodeOf(hostname) !== hostname || isLongName(hostname);
}

function typedFor({ hostname, id }: NumberedSite): Typed {
  return typedOf(unicodeOf(hostname), 'the host name', id);
}

function whatRan({ latestNumber }: NumberedSite): Items {
  if (latestNumber === 0) return [];
  return [
    ['clock', `${countOf(latestNumber, 'run')} with all findings and scores`],
    ['search', 'The evidence of their failures'],
  ];
}

/** What the site has that runs by itself, or that others see. */
async function whatIsOn(deps: PartDeps, site: OwnSite): Promise<Items> {
  const { schedules, deployHooks, badges, sharedReports, webhooks } = deps;
  const [{ frequency }, hook, badge, reports, own] = await Promise.all([
    schedules.get(site),
    deployHooks.find(site),
    badges.tokenOf(site),
    sharedReports.listOf(site),
    webhooks.listOf(site),
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

function idOf({ id }: NumberedSite): Items[number] {
  return [
    'hash',
    <>
      Its id <code>{id}</code>
    </>,
  ];
}
