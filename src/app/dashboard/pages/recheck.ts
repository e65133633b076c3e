import { paramOf, seeOther } from '../../../web/kit/context.js';
import { addForm } from '../../../web/kit/form.js';
import type { Part } from '../../part.js';
import { addressOf, siteAsked } from '../../sites/pages/addresses.js';
import { sitePage } from './site-page.js';

/** The button that makes a check again; its page is the site's own. */
export const addRecheck: Part = (router, deps) => {
  addForm(router, deps.sendPage, {
    path: '/sites/:siteId/checks/:checkId',
    shownAt: null,
    load: siteAsked,
    async submit(ctx, asked) {
      const checkId = paramOf(ctx, 'checkId');
      await deps.rechecks.start({ ...asked, checkId });
      seeOther(ctx, `${addressOf.site(asked.siteId)}#${encodeURIComponent(checkId)}`);
    },
    render: (ctx, asked, errors) => sitePage(ctx, deps, asked, errors),
  });
};
