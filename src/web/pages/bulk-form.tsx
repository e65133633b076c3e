import type { ComponentChildren, JSX } from 'preact';
import { formatCount } from '../../scanner/artifacts/counts.js';
import { TAG_CHARS_MAX } from '../../app/sites/tags.js';
import { hrefOf, type SitesView } from './sites-view.js';

export const BULK_ADDRESS = '/sites/bulk';

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
