import type { SiteOverview } from '../../app/runs/overview.js';
import type { BulkOutcome } from '../../app/sites/bulk-change.js';
import { redirectPermanently } from '../../platform/http/answer.js';
import { isId } from '../../platform/ids.js';
import { InputError } from '../../platform/errors.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { HostName, PageHeader } from '../html/page-header.js';
import { Group, LinkButton } from '../html/sections.js';
import { capitalise } from '../html/text.js';
import { confirmPage, isWordTyped } from '../server/standard-pages.js';
import type { AddRoutes, Page, WebContext } from '../server/page.js';
import { addForm, fieldOf, fieldsOf, sendPage, sessionOf } from '../server/routes.js';
import { addressOf } from '../server/paths.js';
import { sitesPage } from './sites.js';
import { type ChosenAction, chosenAction } from './sites-bulk-actions.js';
import { BY_NAME, hrefOf, toListedSites, findSites, parseView } from './sites-view.js';

/** The field with the number of sites that the user confirmed. */
const CONFIRMED = 'confirmed';

/** Most host names listed; the rest are counted. Also the most sites removed at once, since the confirmation names them all. */
const NAMED_MAX = 100;

/**
 * Applies an action to the ticked sites, or to all that the list found. Asks for confirmation first, and again if the number of sites has
 * changed.
 */
export const addBulkPage: AddRoutes = (router, deps) => {
  const { history } = deps;
  // A bookmark, or the Back button on a result.
  router.get('/sites/bulk', (ctx) => {
    sessionOf(ctx);
    redirectPermanently(ctx, listHref(ctx));
  });
  addForm(router, {
    path: '/sites/bulk',
    shownAt: null,
    load: (ctx) => sessionOf(ctx).account,
    async submit(ctx, account) {
      const action = chosenAction(fieldOf(ctx, 'act'), fieldOf(ctx, 'tag'));
      const overviews = await history.overview(account.id);
      const sites = chosenSites(ctx, overviews);
      if (sites.length === 0) throw new InputError('No sites are selected. Tick some, or all in this list.');
      if (action.isRemoval && sites.length > NAMED_MAX) {
        throw new InputError(`You can remove at most ${countOf(NAMED_MAX, 'site')} at once.`);
      }
      const request = { account, siteIds: sites.map(({ id }) => id), tag: action.tag };
      const pages = new Map(overviews.map(({ site }) => [site.hostname, addressOf.site(site.id)]));
      if (!isWordTyped(ctx, requiredWord(sites))) {
        sendPage(ctx, confirmationPage(ctx, action, sites, pages));
        return;
      }
      const outcome = await action.perform(request, deps);
      sendPage(ctx, outcomePage(ctx, action, outcome, action.isRemoval ? new Map() : pages));
    },
    render: (ctx, _account, errors) => sitesPage(ctx, deps, errors),
  });
};

type ChosenSite = SiteOverview['site'];

/** Returns the sites ticked in the form, or all that the filter in its URL finds. */
function chosenSites(ctx: WebContext, overviews: readonly SiteOverview[]): readonly ChosenSite[] {
  if (fieldOf(ctx, 'all') !== '') return findSites(parseView(ctx), toListedSites(overviews)).map(({ site }) => site);
  const ids = new Set(fieldsOf(ctx, 'site').filter((id) => isId('site', id)));
  return overviews.flatMap(({ site }) => (ids.has(site.id) ? [site] : []));
}

function requiredWord(sites: readonly ChosenSite[]) {
  return { field: CONFIRMED, word: String(sites.length), meaning: 'the number of sites' };
}

/** Returns the URL of the list that the form came from. */
function listHref(ctx: WebContext, path?: string): string {
  const view = parseView(ctx);
  return hrefOf(view, { page: view.page }, path);
}

/** What happened to a site, and why; `why` is empty if that is obvious. */
interface SiteOutcome {
  readonly hostname: string;
  readonly title: string;
  readonly why: string;
}

interface OutcomesProps {
  readonly outcomes: readonly SiteOutcome[];
  /** Paths of the sites' pages, by host name. */
  readonly pages: ReadonlyMap<string, string>;
}

/** Names the sites and asks for confirmation. */
function confirmationPage(
  ctx: WebContext,
  action: ChosenAction,
  sites: readonly ChosenSite[],
  pages: OutcomesProps['pages'],
): Page {
  const { label, describe, isRemoval = false, tag } = action;
  // Only the confirmation has this field, so its number was wrong.
  const isWrong = isRemoval && fieldsOf(ctx, CONFIRMED).length > 0;
  const errors = isWrong ? { [CONFIRMED]: 'That does not match. Nothing was removed.' } : null;
  const question = describe(countOf(sites.length, 'site'), tag);
  const hidden = [
    ['act', fieldOf(ctx, 'act')],
    ['tag', fieldOf(ctx, 'tag')],
    ...(sites.length > NAMED_MAX ? [['all', 'all']] : sites.map(({ id }) => ['site', id])),
    ...(isRemoval ? [] : [[CONFIRMED, String(sites.length)]]),
  ];
  const page = confirmPage(ctx, errors, {
    title: `${question}?`,
    crumbs: [[listHref(ctx), 'Sites']],
    lead: isRemoval
      ? 'This cannot be undone.'
      : 'Nothing has changed yet. The result names the sites that could not be changed, and why.',
    details: (
      <Group title={label} meaning={countOf(sites.length, 'site')}>
        <Names hostnames={sites.map(({ hostname }) => hostname)} pages={pages} />
      </Group>
    ),
    lists: isRemoval
      ? [
          ['Also deleted', ['All their runs, evidence, badges and public reports']],
          ['Stays', ['Your API keys', 'The entries in your activity']],
        ]
      : [],
    requiredWord: isRemoval ? requiredWord(sites) : null,
    fields: hidden.map(([name, value]) => <input type="hidden" name={name} value={value} />),
    action: listHref(ctx, '/sites/bulk'),
    button: question,
    cancel: [listHref(ctx), 'Back to the sites'],
  });
  return isWrong ? { ...page, title: `Error: ${page.title}`, status: 422 } : page;
}

function outcomePage(
  ctx: WebContext,
  { label, outcome = 'done' }: ChosenAction,
  { done, unchanged, skipped }: BulkOutcome,
  pages: OutcomesProps['pages'],
): Page {
  const outcomes = [
    ...skipped.map((site) => ({ ...site, title: 'Not done' })),
    ...done.map((hostname) => ({ hostname, title: capitalise(outcome), why: '' })),
    ...unchanged.map((hostname) => ({ hostname, title: 'Unchanged', why: '' })),
  ];
  return {
    title: 'Selected sites',
    header: (
      <PageHeader
        crumbs={[[listHref(ctx), 'Sites']]}
        here="Selected"
        title={`${label}: ${done.length === 0 ? 'nothing changed' : `${outcome} for ${countOf(done.length, 'site')}`}`}
        actions={<LinkButton href={listHref(ctx)} label="Back to the sites" />}
      />
    ),
    main: (
      <div class="w over-text">
        <Outcomes outcomes={outcomes} pages={pages} />
      </div>
    ),
  };
}

/** The sites by outcome and reason. */
function Outcomes({ outcomes, pages }: OutcomesProps) {
  return (
    <>
      {[...Map.groupBy(outcomes, ({ title }) => title)].map(([title, some]) => (
        <Group key={title} title={title} meaning={countOf(some.length, 'site')}>
          {[...Map.groupBy(some, ({ why }) => why)].map(([why, same]) => (
            <>
              {why !== '' && <p>{capitalise(why)}</p>}
              <Names hostnames={same.map(({ hostname }) => hostname)} pages={pages} />
            </>
          ))}
        </Group>
      ))}
    </>
  );
}

/** The names of sites, from A to Z. */
function Names({ hostnames, pages }: Pick<OutcomesProps, 'pages'> & { readonly hostnames: readonly string[] }) {
  return (
    <ul class="lines">
      {hostnames
        .toSorted(BY_NAME.compare)
        .slice(0, NAMED_MAX)
        .map((hostname) => {
          const href = pages.get(hostname);
          const name = <HostName name={hostname} showsAscii />;
          return <li key={hostname}>{href === undefined ? name : <a href={href}>{name}</a>}</li>;
        })}
      {hostnames.length > NAMED_MAX && <li>and {hostnames.length - NAMED_MAX} more</li>}
    </ul>
  );
}
