import type { ComponentChildren, JSX } from 'preact';
import { formatCount } from '../../../platform/counts.js';
import { TAG_CHARS_MAX } from '../../sites/tags.js';
import { hrefOf, type SitesView } from './sites-view.js';

export const SELECTED_ADDRESS = '/sites/selected';

export interface SelectFormProps {
  readonly view: SitesView;
  /** How many sites are asked for, on all pages. */
  readonly count: number;
  /** Whether there are more than those of this page. */
  readonly isPaged: boolean;
  /** What can be done with them. */
  readonly acts: readonly (readonly [value: string, label: string])[];
  readonly children: ComponentChildren;
}

/** The list as a form: what is ticked in it, or all that it would show, has one thing done to it. */
export function SelectForm({ view, count, isPaged, acts, children }: SelectFormProps): JSX.Element {
  return (
    <form method="post" action={hrefOf(view, { page: view.page }, SELECTED_ADDRESS)} class="many-of" novalidate>
      {children}
      <fieldset class="acts">
        <legend class="hide">With the selected sites</legend>
        <label class="choice">
          <input type="checkbox" name="all" value="all" />
          All {formatCount(count)} that are found
        </label>
        {isPaged && <span class="small soft">Ticks count on this page alone.</span>}
        <label class="hide" for="act">
          What to do
        </label>
        <select id="act" name="act">
          <option value="">With the selected…</option>
          {acts.map(([value, label]) => (
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
