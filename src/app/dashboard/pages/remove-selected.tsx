import { countOf } from '../../../platform/counts.js';
import { isId } from '../../../platform/ids.js';
import { InputError } from '../../../platform/input-error.js';
import { assertTyped, confirmPage, type Typed } from '../../../web/kit/confirm.js';
import type { RouteContext } from '../../../web/kit/context.js';
import { addForm, type FieldErrors, fieldsOf } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import { sessionOf } from '../../accounts/pages/session.js';
import type { Part, PartDeps } from '../../part.js';
import type { Site } from '../../sites/site.js';
import { Names, NAMED_MAX, outcomePage, refusalPage } from './selected-outcome.js';
import { hrefOf, viewOf } from './sites-view.js';

const ADDRESS = '/sites/remove';

interface ToRemove {
  readonly sites: readonly Pick<Site, 'id' | 'hostname'>[];
  /** Back to the list as it was, and the address that takes the confirmation. */
  readonly back: string;
  readonly action: string;
}

/** Takes the confirmation: those are removed that the page named. */
export const addRemoveSelectedPage: Part = (router, deps) => {
  const { siteRemoval, sendPage } = deps;
  addForm<ToRemove>(router, sendPage, {
    path: ADDRESS,
    shownAt: null,
    load: (ctx) => toRemove(ctx, fieldsOf(ctx, 'site'), deps),
    async submit(ctx, asked) {
      assertFew(asked);
      assertTyped(ctx, typedFor(asked), 'removed');
      const siteIds = asked.sites.map(({ id }) => id);
      const outcome = await siteRemoval.removeMany(sessionOf(ctx).account.id, siteIds);
      sendPage(ctx, outcomePage(outcome, { done: 'Removed', same: 'Removed before' }, asked));
    },
    render: removalPage,
  });
};

/** What a page is to ask of. @throws InputError for none, or more than a page names */
export async function askedToRemove(
  ctx: RouteContext,
  siteIds: readonly string[],
  deps: Pick<PartDeps, 'siteRemoval'>,
): Promise<ToRemove> {
  const asked = await toRemove(ctx, siteIds, deps);
  assertFew(asked);
  return asked;
}

async function toRemove(
  ctx: RouteContext,
  siteIds: readonly string[],
  { siteRemoval }: Pick<PartDeps, 'siteRemoval'>,
): Promise<ToRemove> {
  const ids = siteIds.filter((id) => isId('site', id));
  const sites = await siteRemoval.listAmong(sessionOf(ctx).account.id, ids);
  const view = viewOf(ctx);
  const here = { page: view.page };
  return { sites, back: hrefOf(view, here), action: hrefOf(view, here, ADDRESS) };
}

function assertFew({ sites: { length } }: ToRemove): void {
  if (length === 0) throw new InputError('None of these sites is there any more.');
  if (length > NAMED_MAX) throw new InputError(`At most ${countOf(NAMED_MAX, 'site')} are removed at once.`);
}

function typedFor({ sites }: ToRemove): Typed {
  return { word: String(sites.length), what: 'the number of sites' };
}

/** Names the sites that are to be removed, says what goes with them, and asks for their number. */
export function removalPage(ctx: RouteContext, asked: ToRemove, errors: FieldErrors | null): Page {
  const { sites, back, action } = asked;
  if (sites.length === 0 || sites.length > NAMED_MAX) return refusalPage(errors, back);
  const count = countOf(sites.length, 'site');
  return confirmPage(ctx, errors, {
    title: `Remove ${count}`,
    heading: `Remove ${count}?`,
    crumbs: [[back, 'Sites']],
    here: 'Remove',
    lead: 'This cannot be undone. Here is what goes.',
    end: 'Removed',
    goes: [
      ['globe', <Names hostnames={sites.map(({ hostname }) => hostname)} />],
      ['clock', 'Their runs with all findings, scores and evidence'],
      ['link', 'Their badges, public reports and deploy hooks: the addresses stop working'],
      ['again', 'Their schedules, and webhooks for the alerts of one of them alone'],
      ['hash', 'Their ids'],
    ],
    stays: [
      ['key', 'Your API keys; their requests for these sites are refused'],
      ['lock', 'The entries in your activity, for a year'],
      ['plus', 'Proofs that you published: add a site again and they still count. Ids and runs start afresh.'],
    ],
    action,
    typed: typedFor(asked),
    more: sites.map(({ id }) => <input type="hidden" name="site" value={id} key={id} />),
    button: `Remove ${count}`,
    kept: [back, sites.length === 1 ? 'Keep the site' : 'Keep the sites'],
  });
}
