import type { ComponentChildren } from 'preact';
import { TAG_CHARS_MAX } from '../../app/sites/site-settings.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { titleOf } from '../../scanner/report/failures.js';
import { LinkButton, Pager } from '../html/sections.js';
import { Icon } from '../html/text.js';
import { Empty } from '../html/pins.js';
import {
  filterOf,
  FILTERS,
  hrefOf,
  type ListedSite,
  searchSites,
  queryFieldsOf,
  type SitesView,
  commonTags,
} from './sites-view.js';

/** Shorter lists have no search. */
const SEARCHED_MIN = 10;

/** Filters, search and tags, which work without script. */
export function Filters({ view, all }: { readonly view: SitesView; readonly all: readonly ListedSite[] }) {
  const { show, search, tag } = view;
  const matching = searchSites(view, all);
  const { tags, moreTags } = commonTags(view, all);
  const filters = Object.entries(FILTERS).filter(
    ([key, [, isShown]]) => key === 'all' || key === show || all.some(isShown),
  );
  return (
    <form role="search" action="/sites">
      <div class="row apart bar">
        <ul class="pick" aria-label="Filter">
          {filters.map(([key, [label, isShown]]) => (
            <PickItem
              key={key}
              href={hrefOf(view, { show: key })}
              isChosen={key === show}
              {...(matching.length > 0 && { count: matching.filter(isShown).length })}
            >
              {label}
            </PickItem>
          ))}
          {!Object.hasOwn(FILTERS, show) && (
            <PickItem href={hrefOf(view, {})} isChosen count={matching.filter(filterOf(show)).length}>
              Fails: {titleOf(show)}
            </PickItem>
          )}
        </ul>
        {(all.length >= SEARCHED_MIN || search !== '' || moreTags > 0) && (
          <Search value={search} clearHref={hrefOf(view, { search: '' })} />
        )}
      </div>
      <div class="row apart tools">
        {tags.length > 0 && (
          <ul class="pick" aria-label="Tags">
            {tags.map(({ key, name, count }) => (
              <PickItem
                key={key}
                href={hrefOf(view, { tag: key === tag ? '' : key })}
                isChosen={key === tag}
                count={count}
              >
                <bdi>#{name}</bdi>
              </PickItem>
            ))}
            {moreTags > 0 && <li class="soft">{countOf(moreTags, 'more tag')}: search for one above</li>}
          </ul>
        )}
        <a class="small" href={hrefOf(view, { page: view.page, isSelecting: !view.isSelecting })}>
          {view.isSelecting ? 'Stop selecting' : 'Select sites'}
        </a>
      </div>
      {queryFieldsOf({ ...view, search: '' }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </form>
  );
}

interface BulkFormProps {
  readonly view: SitesView;
  /** Number of sites found, on all pages. */
  readonly count: number;
  readonly choices: readonly (readonly [value: string, label: string])[];
  /** Values of a refused form. */
  readonly typed: Readonly<Record<'all' | 'act' | 'tag', string>>;
  readonly children: ComponentChildren;
}

/** Applies an action to the ticked sites, or to all that were found. */
export function BulkForm({ view, count, choices, typed, children }: BulkFormProps) {
  return (
    <form method="post" action={hrefOf(view, { page: view.page }, '/sites/bulk')} class="many-of" novalidate>
      {children}
      <fieldset class="acts">
        <legend class="hide">With the selected sites</legend>
        <label class="choice">
          <input type="checkbox" name="all" value="all" checked={typed.all !== ''} />
          All {countOf(count, 'site')} in this list
        </label>
        <label class="hide" for="act">
          What to do
        </label>
        <select id="act" name="act">
          {[['', 'Choose an action…'], ...choices].map(([value, label]) => (
            <option key={value} value={value} selected={value === typed.act}>
              {label}
            </option>
          ))}
        </select>
        <label class="hide" for="tag">
          Tag to add or remove
        </label>
        <input
          {...{ id: 'tag', name: 'tag', type: 'text', placeholder: 'Tag', autocomplete: 'off' }}
          value={typed.tag}
          maxLength={TAG_CHARS_MAX}
        />
        <button type="submit" class="quiet">
          Apply
        </button>
      </fieldset>
    </form>
  );
}

/** Shown instead of an empty list. */
export function NothingFound({ search }: Pick<SitesView, 'search'>) {
  return (
    <Empty>
      <h2>{search === '' ? 'No sites in this group' : `No site has “${search}” in its name or tags`}</h2>
      <p class="row">
        <LinkButton kind="quiet" href="/sites" label="Show all sites" />
      </p>
    </Empty>
  );
}

interface PickItemProps {
  readonly href: string;
  readonly isChosen: boolean;
  /** Number of sites that the link shows. */
  readonly count?: number;
  readonly children: ComponentChildren;
}

/** A link that filters the list. */
function PickItem({ href, isChosen, count, children }: PickItemProps) {
  return (
    <li>
      <a href={href} aria-current={isChosen ? 'true' : undefined}>
        {children}
        {count !== undefined && (
          <>
            {' '}
            <span class="num">{count}</span>
          </>
        )}
      </a>
    </li>
  );
}

function Search({ value, clearHref }: { readonly value: string; readonly clearHref: string }) {
  return (
    <div class="find">
      <Icon name="search" />
      <label class="hide" for="q">
        Find a site or tag
      </label>
      <input id="q" name="q" type="text" placeholder="Find a site or tag" value={value} maxLength={300} />
      {value !== '' && (
        <a class="clear" href={clearHref}>
          <span aria-hidden="true">×</span>
          <span class="hide">Clear</span>
        </a>
      )}
    </div>
  );
}

/** Keeps a page below 60 kB, even with long tags. */
export const SITES_A_PAGE = 40;

/** Links between the pages of the list, and `41 to 80 of 120`. @param props.count sites found */
export function Pages({ view, count }: { readonly view: SitesView; readonly count: number }) {
  const { page } = view;
  return (
    <Pager
      label="Pages of the list"
      links={[
        page > 1 && [hrefOf(view, { page: page - 1 }), 'Previous'],
        page * SITES_A_PAGE < count && [hrefOf(view, { page: page + 1 }), 'Next'],
      ]}
    >
      <span class="soft small num">
        {(page - 1) * SITES_A_PAGE + 1} to {Math.min(count, page * SITES_A_PAGE)} of {count}
      </span>
    </Pager>
  );
}
