import type { JSX } from 'preact';
import type { NumberedSite } from '../../sites/site.js';
import { assertTyped, confirmPage } from '../../../web/kit/confirm.js';
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
        lead: 'This cannot be undone.',
        children: <WhatGoes site={site} />,
        action: addressOf.remove(site.id),
        word: site.hostname,
        button: 'Remove site',
        keptAt: addressOf.site(site.id),
      }),
  });
};

function WhatGoes({ site }: { readonly site: NumberedSite }): JSX.Element {
  return (
    <>
      <p>What goes with it:</p>
      <ul>
        <li>
          {site.latestNumber === 0
            ? 'no runs: it has none yet'
            : `${countOf(site.latestNumber, 'run')} with all findings, for good`}
        </li>
        <li>
          its id <code>{site.id}</code>: calls of the API with it will find nothing
        </li>
      </ul>
      <p>Added again, the site gets a new id, its domain has to be verified again, and its runs start at 1.</p>
    </>
  );
}
