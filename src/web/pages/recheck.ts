import { paramOf, seeOther } from '../server/context.js';
import { addForm } from '../server/form.js';
import type { Part } from '../server/page-part.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnSite } from '../server/requested-site.js';
import { sitePage } from './site-page.js';

/** The button that makes a check again; its page is the site's own. */
export const addRecheck: Part = (router, deps) => {
  addForm(router, deps.sendPage, {
    path: '/sites/:siteId/checks/:checkId',
    shownAt: null,
    load: (ctx) => loadOwnSite(ctx, deps),
    async submit(ctx, site) {
      const checkId = paramOf(ctx, 'checkId');
      await deps.rechecks.start(site, checkId);
      seeOther(ctx, `${addressOf.site(site.id)}#${encodeURIComponent(checkId)}`);
    },
    render: (ctx, _site, errors) => sitePage(ctx, deps, errors),
  });
};
