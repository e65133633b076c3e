import type { OwnSite } from '../../app/sites/site.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { CRUMB_CHARS, cutName, HostName, unicodeOf } from '../html/page-header.js';
import { assertWordTyped, confirmPage, type RequiredWord } from '../server/standard-pages.js';
import { addForm, loadOwnSite, redirectWithNotice } from '../server/routes.js';
import type { AddRoutes } from '../server/page.js';
import { addressOf } from '../server/paths.js';

/** Removes a site, after its name is typed. */
export const addRemoveSitePage: AddRoutes = (router, { siteRemoval }) => {
  addForm(router, {
    path: addressOf.remove(':siteId'),
    load: loadOwnSite,
    async submit(ctx, site) {
      assertWordTyped(ctx, requiredWord(site));
      await siteRemoval.removeOwn(site);
      redirectWithNotice(ctx, '/sites', 'removed');
    },
    render: (ctx, site, errors) =>
      confirmPage(ctx, errors, {
        title: `Remove ${site.hostname}`,
        heading: (
          <>
            Remove <HostName name={site.hostname} max={CRUMB_CHARS} showsAscii />?
          </>
        ),
        crumbs: [
          ['/sites', 'Sites'],
          [addressOf.site(site.id), cutName(site.hostname, CRUMB_CHARS)],
        ],
        lead: (
          <>
            This cannot be undone. Just want fewer runs? Turn off{' '}
            <a href={addressOf.automation(site.id)}>automatic runs</a> and keep the history.
          </>
        ),
        lists: [
          [
            'Deleted now',
            [
              `${countOf(site.latestNumber, 'run')} with all findings, scores and evidence`,
              'Its schedule, and webhooks that are only for this site',
              'Its deploy hook, badge and public reports: their addresses stop working',
              <>
                Its id <code>{site.id}</code>
              </>,
            ],
          ],
          [
            'Stays',
            [
              'Your API keys; their requests for this site are refused',
              'The entry in your activity, for a year',
              'Your published proof: it still counts if you add the site again, with a new id and no old runs',
            ],
          ],
        ],
        requiredWord: requiredWord(site),
        action: addressOf.remove(site.id),
        button: 'Remove site',
        cancel: [addressOf.site(site.id), 'Keep the site'],
      }),
  });
};

function requiredWord({ hostname }: OwnSite): RequiredWord {
  return { field: 'name', word: unicodeOf(hostname), meaning: 'the host name' };
}
