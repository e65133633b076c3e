import type { NumberedSite } from '../../sites/site.js';
import { assertTyped, type Confirmation, confirmPage } from '../../../web/kit/confirm.js';
import { HostName, isLongName } from '../../../web/kit/components/mast.js';
import { seeOther } from '../../../web/kit/context.js';
import { addForm } from '../../../web/kit/form.js';
import { countOf } from '../../../platform/counts.js';
import type { Part } from '../../part.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownSite } from '../../sites/pages/asked-site.js';

/** Removing a site says what goes with it, and asks for its name. */
export const addRemovePage: Part = (router, { sites, siteRemoval, sendPage }) => {
  addForm(router, sendPage, {
    path: '/sites/:siteId/remove',
    load: (ctx) => ownSite(ctx, { sites }),
    async submit(ctx, site) {
      assertTyped(ctx, site.hostname, 'remove this site');
      await siteRemoval.removeOwn(site);
      seeOther(ctx, '/sites?notice=removed');
    },
    render: (ctx, site, errors) =>
      confirmPage(ctx, errors, {
        title: `Remove ${site.hostname}`,
        heading: (
          <>
            Remove <HostName name={site.hostname} />?
          </>
        ),
        isLong: isLongName(site.hostname),
        crumbs: [
          ['/sites', 'Sites'],
          [addressOf.site(site.id), site.hostname],
        ],
        here: 'Remove',
        lead: 'This cannot be undone. Here is what goes with it.',
        goes: whatGoes(site),
        stays: [
          ['key', 'Your API keys. Calls for this site get 404.'],
          ['lock', 'The entry in your activity, for a year'],
          ['plus', 'The way back: added again, it gets a new id, is verified again, and its runs start at 1.'],
        ],
        rail: (
          <section>
            <h2>Only want silence?</h2>
            <p class="small soft">
              Turn off <a href={addressOf.automation(site.id)}>automatic runs</a> and keep the history.
            </p>
          </section>
        ),
        action: addressOf.remove(site.id),
        word: site.hostname,
        what: 'the host name',
        button: 'Remove site',
        keptAt: addressOf.site(site.id),
      }),
  });
};

function whatGoes({ id, latestNumber }: NumberedSite): Confirmation['goes'] {
  return [
    ...(latestNumber === 0
      ? []
      : ([
          ['clock', `${countOf(latestNumber, 'run')} with all findings and scores`],
          ['search', 'The evidence of their failures'],
        ] as const)),
    ['link', 'Its schedule, its deploy hook and its badge: their addresses answer 404'],
    [
      'hash',
      <>
        Its id <code>{id}</code>
      </>,
    ],
  ];
}
