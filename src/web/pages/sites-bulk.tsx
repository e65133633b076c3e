import type { JSX } from 'preact';
import type { SiteOverview } from '../../app/runs/overview.js';
import type { BulkOutcome } from '../../app/sites/bulk-change.js';
import { isId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { HostName, PageHeader } from '../html/page-header.js';
import { Group } from '../html/sections.js';
import { confirmPage, isTyped } from '../server/standard-pages.js';
import type { AddRoutes, Page, WebContext } from '../server/page.js';
import { addForm, fieldOf, fieldsOf, sendPage, sessionOf } from '../server/routes.js';
import { addressOf } from '../server/paths.js';
import { sitesPage } from './sites.js';
import { type ChosenAction, chosenAction } from './sites-bulk-actions.js';
import { hrefOf, listedSitesOf, sitesOf, viewOf } from './sites-view.js';

/** The field with the number of sites that were confirmed. */
const CONFIRMED = 'confirmed';

/** More host names than these are counted. No more sites are removed at once: the confirmation names them all. */
const NAMED_MAX = 100;

/**
 * Does one thing to the sites that are ticked in the list, or to all that it found. It names them and asks first; it asks again if their number
 * has changed since.
 */
export const addBulkPage: AddRoutes = (router, deps) => {
  const { history } = deps;
  addForm(router, {
    path: '/sites/bulk',
    shownAt: null,
    load: (ctx) => sessionOf(ctx).account,
    async submit(ctx, account) {
      const action = chosenAction(fieldOf(ctx, 'act'), fieldOf(ctx, 'tag'));
      const known = await history.overview(account.id);
      const sites = chosenSites(ctx, known);
      if (sites.length === 0) throw new InputError('No site is selected. Tick some, or all in this list.');
      if (action.isRemoval && sites.length > NAMED_MAX) {
        throw new InputError(`At most ${countOf(NAMED_MAX, 'site')} are removed at once.`);
      }
      if (!isTyped(ctx, typedFor(sites))) {
        sendPage(ctx, askFirst(ctx, action, sites));
        return;
      }
      const siteIds = sites.map(({ id }) => id);
      const outcome = await action.perform({ account, siteIds, tag: action.tag }, deps);
      sendPage(ctx, outcomePage(ctx, action, outcome, action.isRemoval ? [] : known));
    },
    render: (ctx, _account, errors) => sitesPage(ctx, deps, errors),
  });
};

type ChosenSite = SiteOverview['site'];

/** The account's sites that the form names by their ids, or all that the filter in its address finds. */
function chosenSites(ctx: WebContext, overviews: readonly SiteOverview[]): readonly ChosenSite[] {
  if (fieldOf(ctx, 'all') !== '') return sitesOf(viewOf(ctx), listedSitesOf(overviews)).map(({ site }) => site);
  const ids = new Set(fieldsOf(ctx, 'site').filter((id) => isId('site', id)));
  return overviews.flatMap(({ site }) => (ids.has(site.id) ? [site] : []));
}

function typedFor(sites: readonly ChosenSite[]) {
  return { name: CONFIRMED, word: String(sites.length), what: 'the number of sites' };
}

/** The page of the list from which the form came. */
function listHref(ctx: WebContext, path?: string): string {
  const view = viewOf(ctx);
  return hrefOf(view, { page: view.page }, path);
}

function askFirst(ctx: WebContext, action: ChosenAction, sites: readonly ChosenSite[]): Page {
  const { label, isRemoval = false, needsProof = false } = action;
  // The form of the list does not have this field.
  const isWrong = isRemoval && fieldsOf(ctx, CONFIRMED).length > 0;
  const errors = isWrong ? { [CONFIRMED]: 'That does not match. Nothing was removed.' } : null;
  const count = countOf(sites.length, 'site');
  const what = isRemoval ? `${label} ${count}` : `${label}: ${count}`;
  const hidden = [
    ['act', fieldOf(ctx, 'act')],
    ['tag', fieldOf(ctx, 'tag')],
    ...(sites.length > NAMED_MAX ? [['all', 'all']] : sites.map(({ id }) => ['site', id])),
    ...(isRemoval ? [] : [[CONFIRMED, String(sites.length)]]),
  ];
  const namesOf = (some: readonly ChosenSite[]) => <Names hostnames={some.map(({ hostname }) => hostname)} />;
  const names = namesOf(sites);
  const leftOut = needsProof ? sites.filter(({ verifiedAt }) => verifiedAt === null) : [];
  const page = confirmPage(ctx, errors, {
    title: `${what}?`,
    crumbs: [[listHref(ctx), 'Sites']],
    lead: isRemoval ? 'This cannot be undone.' : 'Nothing has changed yet.',
    lists: isRemoval
      ? [
          ['Deleted now', [names, 'All their runs, evidence, badges and public reports']],
          ['Stays', ['Your API keys', 'The entries in your activity']],
        ]
      : [
          ['Selected', [names]],
          ...(leftOut.length > 0
            ? [['Left out', ['Not verified. We scan only verified sites.', namesOf(leftOut)]] as const]
            : []),
        ],
    typed: isRemoval ? typedFor(sites) : null,
    fields: hidden.map(([name, value]) => <input type="hidden" name={name} value={value} />),
    action: listHref(ctx, '/sites/bulk'),
    button: what,
    cancel: [listHref(ctx), 'Back to the sites'],
  });
  return isWrong ? { ...page, title: `Error: ${page.title}`, status: 422 } : page;
}

/** Says what became of the sites. @param linked those that it links to */
function outcomePage(
  ctx: WebContext,
  { label }: ChosenAction,
  outcome: BulkOutcome,
  linked: readonly SiteOverview[],
): Page {
  const pages = new Map(linked.map(({ site }) => [site.hostname, addressOf.site(site.id)]));
  const skipped = Map.groupBy(outcome.skipped, ({ why }) => why);
  const groups: (readonly [title: string, hostnames: readonly string[], why?: string])[] = [
    ...[...skipped].map(([why, some]) => ['Not done', some.map(({ hostname }) => hostname), why] as const),
    ['Done', outcome.done],
    ['No change needed', outcome.unchanged],
  ];
  const count = outcome.done.length;
  return {
    title: 'Many sites',
    header: (
      <PageHeader
        crumbs={[[listHref(ctx), 'Sites']]}
        here="Selected"
        title={`${label}: ${count === 0 ? 'nothing changed' : `done for ${countOf(count, 'site')}`}`}
        actions={
          <a class="btn" href={listHref(ctx)}>
            Back to the sites
          </a>
        }
      />
    ),
    main: (
      <div class="w over-text">
        {groups.map(
          ([title, hostnames, why]) =>
            hostnames.length > 0 && (
              <Group key={`${title} ${why}`} title={title} meaning={countOf(hostnames.length, 'site')}>
                {why !== undefined && <p>{why}</p>}
                <Names hostnames={hostnames} pages={pages} />
              </Group>
            ),
        )}
      </div>
    ),
  };
}

interface NamesProps {
  readonly hostnames: readonly string[];
  /** The addresses of their pages, by host name. */
  readonly pages?: ReadonlyMap<string, string>;
}

/** Host names from A to Z. */
function Names({ hostnames, pages }: NamesProps): JSX.Element {
  const names = hostnames.toSorted().slice(0, NAMED_MAX);
  const rest = hostnames.length - names.length;
  return (
    <span class="small soft">
      {names.map((hostname, index) => {
        const href = pages?.get(hostname);
        const name = <HostName name={hostname} isDouble />;
        return (
          <span key={hostname}>
            {index > 0 && ', '}
            {href === undefined ? name : <a href={href}>{name}</a>}
          </span>
        );
      })}
      {rest > 0 && ` and ${rest} more`}
    </span>
  );
}
