import { isId } from '../../../platform/ids.js';
import { InputError } from '../../../platform/input-error.js';
import type { RouteContext } from '../../../web/kit/context.js';
import { addForm, fieldOf, fieldsOf } from '../../../web/kit/form.js';
import type { Account } from '../../accounts/accounts.js';
import { sessionOf } from '../../accounts/pages/session.js';
import type { Part, PartDeps } from '../../part.js';
import { actOf, REMOVE } from './acts.js';
import { allPage, SURE } from './all-selected.js';
import { askedToRemove, removalPage } from './remove-selected.js';
import { SELECTED_ADDRESS } from './select-form.js';
import { outcomePage, refusalPage } from './selected-outcome.js';
import { hrefOf, listedSitesOf, sitesOf, viewOf } from './sites-view.js';

interface Model {
  readonly account: Account;
  /** Back to the list as it was. */
  readonly back: string;
}

/** Does one thing to the sites that were selected in the list, or to all that its filter shows, and says what came of it. */
export const addSelectedPage: Part = (router, deps) => {
  const { history, sendPage } = deps;
  addForm<Model>(router, sendPage, {
    path: SELECTED_ADDRESS,
    shownAt: null,
    load(ctx) {
      const view = viewOf(ctx);
      return { account: sessionOf(ctx).account, back: hrefOf(view, { page: view.page }) };
    },
    async submit(ctx, { account, back }) {
      const [value, tag] = [fieldOf(ctx, 'act'), fieldOf(ctx, 'tag')];
      if (value === REMOVE) {
        const asked = await askedToRemove(ctx, await selectedOf(ctx, account, deps), deps);
        sendPage(ctx, removalPage(ctx, asked, null));
        return;
      }
      const act = actOf(value);
      const siteIds = await selectedOf(ctx, account, deps);
      if (fieldOf(ctx, 'all') !== '' && fieldOf(ctx, SURE) !== String(siteIds.length)) {
        sendPage(ctx, allPage(ctx, { act, siteIds, back }, await history.overview(account.id)));
        return;
      }
      const outcome = await act.perform({ account, siteIds, tag }, deps);
      const overviews = await history.overview(account.id);
      const known = new Map(overviews.map(({ site }) => [site.hostname, site]));
      sendPage(ctx, outcomePage(outcome, act.words(tag), { back, known }));
    },
    render: (_ctx, { back }, errors) => refusalPage(errors, back),
  });
};

/** The ids of the sites. @throws InputError where there are none */
async function selectedOf(
  ctx: RouteContext,
  account: Account,
  { history }: Pick<PartDeps, 'history'>,
): Promise<readonly string[]> {
  const isAll = fieldOf(ctx, 'all') !== '';
  const ids = isAll
    ? sitesOf(viewOf(ctx), listedSitesOf(await history.overview(account.id))).map(({ site }) => site.id)
    : fieldsOf(ctx, 'site').filter((id) => isId('site', id));
  if (ids.length === 0) throw new InputError('No site is selected. Tick those that you mean, or all that are shown.');
  return ids;
}
