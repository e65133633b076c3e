import type { ComponentChildren, JSX } from 'preact';
import { InputError } from '../../platform/input-error.js';
import { isId } from '../../platform/ids.js';
import { countOf, formatCount } from '../../scanner/artifacts/counts.js';
import { Field } from '../html/form.js';
import { Group, HostName, PageHeader } from '../html/page-header.js';
import type { RouteContext } from '../server/context.js';
import { addForm, fieldOf, fieldsOf } from '../server/form.js';
import type { Page } from '../server/page.js';
import { sessionOf } from '../server/session.js';
import type { Part } from '../server/page-part.js';
import type { SiteOverview } from '../../app/runs/overview.js';
import type { BulkOutcome } from '../../app/sites/bulk-change.js';
import { addressOf } from '../server/site-paths.js';
import { type BulkAction, bulkAction } from './sites-bulk-actions.js';
import { hrefOf, listedSitesOf, sitesOf, type SitesView, viewOf } from './sites-view.js';
import { TAG_CHARS_MAX } from '../../app/sites/tags.js';

/** The field with the number of sites that were confirmed. */
const CONFIRMED = 'confirmed';

/** More host names than these are counted. No more sites are removed at once: the confirmation names them all. */
const NAMED_MAX = 100;

/**
 * Does one thing to the sites that are ticked in the list, or to all that it found. It names them and asks first; it asks again if their number
 * has changed since.
 */
export const addBulkPage: Part = (router, deps) => {
  const { history, sendPage } = deps;
  addForm(router, sendPage, {
    path: BULK_ADDRESS,
    shownAt: null,
    load(ctx) {
      const view = viewOf(ctx);
      return { account: sessionOf(ctx).account, back: hrefOf(view, { page: view.page }) };
    },
    async submit(ctx, { account, back }) {
      const action = bulkAction(fieldOf(ctx, 'act'), fieldOf(ctx, 'tag'));
      const before = await history.overview(account.id);
      const sites = chosenSites(ctx, before);
      if (sites.length === 0) throw new InputError('No site is selected. Tick some, or all that are found.');
      if (action.isRemoval && sites.length > NAMED_MAX) {
        throw new InputError(`At most ${countOf(NAMED_MAX, 'site')} are removed at once.`);
      }
      if (fieldOf(ctx, CONFIRMED).trim() !== String(sites.length)) {
        sendPage(ctx, confirmPage(ctx, { action, sites, back }));
        return;
      }
      const siteIds = sites.map(({ id }) => id);
      const outcome = withMissing(await action.perform(account, siteIds, deps), sites);
      // The database may be away by now, but the page must say what was changed.
      const after = await history.overview(account.id).catch(() => before);
      sendPage(ctx, outcomePage(outcome, { action, sites: after, back }));
    },
    render: (_ctx, { back }, errors) => ({
      title: 'Many sites',
      header: <BulkHeader back={back} title="Nothing was changed" lead={Object.values(errors ?? {}).join(' ')} />,
      main: <div class="w" />,
    }),
  });
};

type ChosenSite = Pick<SiteOverview['site'], 'id' | 'hostname'>;

/** The account's sites that the form names by their ids, or all that the filter in its address finds. */
function chosenSites(ctx: RouteContext, overviews: readonly SiteOverview[]): readonly ChosenSite[] {
  if (fieldOf(ctx, 'all') !== '') return sitesOf(viewOf(ctx), listedSitesOf(overviews)).map(({ site }) => site);
  const ids = new Set(fieldsOf(ctx, 'site').filter((id) => isId('site', id)));
  return overviews.flatMap(({ site }) => (ids.has(site.id) ? [site] : []));
}

/** Adds the sites that the outcome does not name. */
function withMissing(outcome: BulkOutcome, sites: readonly ChosenSite[]): BulkOutcome {
  const { done, unchanged, skipped } = outcome;
  const named = new Set([...done, ...unchanged, ...skipped.map(({ hostname }) => hostname)]);
  const missing = sites.filter(({ hostname }) => !named.has(hostname));
  const removed = missing.map(({ hostname }) => ({ hostname, why: 'It was removed in the meantime.' }));
  return { done, unchanged, skipped: [...skipped, ...removed] };
}

interface Asked {
  readonly action: BulkAction;
  readonly sites: readonly ChosenSite[];
  readonly back: string;
}

function confirmPage(ctx: RouteContext, { action, sites, back }: Asked): Page {
  const view = viewOf(ctx);
  const count = countOf(sites.length, 'site');
  // The form of the list does not have this field.
  const isWrong = action.isRemoval === true && fieldsOf(ctx, CONFIRMED).length > 0;
  const what = action.isRemoval ? `${action.label} ${count}` : `${action.label}: ${count}`;
  const title = `${what}?`;
  return {
    title: isWrong ? `Error: ${title}` : title,
    ...(isWrong && { status: 422 }),
    header: <BulkHeader isAsking back={back} title={title} lead="Nothing is changed yet." />,
    main: (
      <div class="w over-text">
        <Group title="Selected" meaning={count}>
          <p class="small soft">
            <Names hostnames={sites.map(({ hostname }) => hostname)} />
          </p>
          {action.isRemoval && <p>{REMOVAL}</p>}
          <form method="post" action={hrefOf(view, { page: view.page }, BULK_ADDRESS)} novalidate>
            <input type="hidden" name="act" value={fieldOf(ctx, 'act')} />
            <input type="hidden" name="tag" value={fieldOf(ctx, 'tag')} />
            {sites.length > NAMED_MAX ? (
              <input type="hidden" name="all" value="all" />
            ) : (
              sites.map(({ id }) => <input type="hidden" name="site" value={id} key={id} />)
            )}
            {action.isRemoval ? (
              <Field
                name={CONFIRMED}
                label="Type the number of sites to confirm"
                hint={<b>{sites.length}</b>}
                value={fieldOf(ctx, CONFIRMED)}
                errors={isWrong ? { [CONFIRMED]: 'That does not match. Nothing was removed.' } : null}
                autocomplete="off"
                maxLength={10}
              />
            ) : (
              <input type="hidden" name={CONFIRMED} value={sites.length} />
            )}
            <button type="submit" class={action.isRemoval ? 'danger sure' : undefined}>
              {what}
            </button>
          </form>
        </Group>
      </div>
    ),
  };
}

const REMOVAL =
  'This cannot be undone. Their runs, findings, evidence, schedules, badges, public reports, deploy hooks and ids are deleted. Your API keys and the entries in your activity stay. Add a site again, and a proof that you published still counts.';

/** Says what became of the sites. @param sites those of the account, to link to */
function outcomePage(
  { done, unchanged, skipped }: BulkOutcome,
  { action, sites, back }: Pick<Asked, 'action' | 'back'> & { readonly sites: readonly SiteOverview[] },
): Page {
  const known: KnownSites = new Map(sites.map(({ site }) => [site.hostname, site]));
  const groups = [
    ...[...Map.groupBy(skipped, ({ why }) => why)].map(
      ([why, ofReason]) => ['Left out', ofReason.map(({ hostname }) => hostname), why] as const,
    ),
    [action.done, done, action.next] as const,
    [action.unchanged, unchanged] as const,
  ];
  return {
    title: 'Many sites',
    header: <BulkHeader back={back} title={`${action.done}: ${countOf(done.length, 'site')}`} />,
    main: (
      <div class="w over-text">
        {groups.map(
          ([title, hostnames, words], index) =>
            hostnames.length > 0 && (
              <Group key={index} title={title} meaning={countOf(hostnames.length, 'site')}>
                {words !== undefined && <p>{words}</p>}
                <p class="small soft">
                  <Names hostnames={hostnames} known={known} />
                </p>
              </Group>
            ),
        )}
      </div>
    ),
  };
}

/** By host name, the sites to link to. */
type KnownSites = ReadonlyMap<string, SiteOverview['site']>;

interface NamesProps {
  readonly hostnames: readonly string[];
  readonly known?: KnownSites | undefined;
}

/** Host names from A to Z, linked where the site is known. */
function Names({ hostnames, known }: NamesProps): JSX.Element {
  const rest = hostnames.length - NAMED_MAX;
  return (
    <span class="names">
      {hostnames
        .toSorted()
        .slice(0, NAMED_MAX)
        .map((hostname, index) => (
          <span key={hostname}>
            {index > 0 && ', '}
            <Name name={hostname} site={known?.get(hostname)} />
          </span>
        ))}
      {rest > 0 && ` and ${rest} more`}
    </span>
  );
}

function Name({ name, site }: { readonly name: string; readonly site: SiteOverview['site'] | undefined }): JSX.Element {
  const shown = <HostName name={name} isDouble />;
  if (site === undefined) return shown;
  return <a href={site.verifiedAt === null ? addressOf.verify(site.id) : addressOf.site(site.id)}>{shown}</a>;
}

interface BulkHeaderProps {
  readonly back: string;
  readonly title: string;
  readonly lead?: string;
  /** True if the page itself has the next button. */
  readonly isAsking?: boolean;
}

function BulkHeader({ back, title, lead, isAsking = false }: BulkHeaderProps): JSX.Element {
  return (
    <PageHeader
      crumbs={[[back, 'Sites']]}
      here="Selected"
      title={title}
      lead={lead}
      actions={
        <a class={isAsking ? 'btn quiet' : 'btn'} href={back}>
          Back to the sites
        </a>
      }
    />
  );
}

const BULK_ADDRESS = '/sites/bulk';

export interface BulkFormProps {
  readonly view: SitesView;
  /** Number of sites found, on all pages. */
  readonly count: number;
  /** True if there are more than those of this page. */
  readonly isPaged: boolean;
  /** The actions that are offered. */
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly children: ComponentChildren;
}

/** The list as a form that does one thing to the ticked sites, or to all that were found. */
export function BulkForm({ view, count, isPaged, choices, children }: BulkFormProps): JSX.Element {
  return (
    <form method="post" action={hrefOf(view, { page: view.page }, BULK_ADDRESS)} class="many-of" novalidate>
      {children}
      <fieldset class="acts">
        <legend class="hide">With the selected sites</legend>
        <label class="choice">
          <input type="checkbox" name="all" value="all" />
          All {formatCount(count)} results
        </label>
        {isPaged && <span class="small soft">Ticks apply to this page only.</span>}
        <label class="hide" for="act">
          What to do
        </label>
        <select id="act" name="act">
          <option value="">With the selected…</option>
          {choices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <label class="hide" for="tag">
          Tag to add or remove
        </label>
        <input id="tag" name="tag" type="text" placeholder="Tag" autocomplete="off" maxLength={TAG_CHARS_MAX} />
        <button type="submit" class="quiet">
          Apply
        </button>
      </fieldset>
    </form>
  );
}
