import { countOf } from '../../../platform/counts.js';
import { Group } from '../../../web/kit/components/mast.js';
import type { RouteContext } from '../../../web/kit/context.js';
import { fieldOf } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import type { SiteOverview } from '../../runs/overview.js';
import type { Act } from './acts.js';
import { SELECTED_ADDRESS } from './select-form.js';
import { Names, SelectedMast } from './selected-outcome.js';
import { hrefOf, viewOf } from './sites-view.js';

/** The field that says how many were confirmed: where others are found meanwhile, it is asked again. */
export const SURE = 'sure';

interface Asked {
  readonly act: Act;
  readonly siteIds: readonly string[];
  readonly back: string;
}

/** Before something is done to all that are found, on whichever pages of the list: which they are. */
export function allPage(ctx: RouteContext, { act, siteIds, back }: Asked, overviews: readonly SiteOverview[]): Page {
  const [ids, view, tag] = [new Set(siteIds), viewOf(ctx), fieldOf(ctx, 'tag')];
  const count = countOf(siteIds.length, 'site');
  const fields = { act: fieldOf(ctx, 'act'), tag, all: 'all', [SURE]: String(siteIds.length) };
  const what = act.needsTag === true ? `${act.label} “${tag.trim()}”` : act.label;
  return {
    title: 'Many sites',
    mast: <SelectedMast isAsking back={back} title={`${what}: ${count}?`} lead="Nothing is changed yet." />,
    main: (
      <div class="w over-text">
        <Group title="All that are found" meaning={count}>
          <p class="small soft">
            <Names hostnames={overviews.filter(({ site }) => ids.has(site.id)).map(({ site }) => site.hostname)} />
          </p>
          <form method="post" action={hrefOf(view, { page: view.page }, SELECTED_ADDRESS)}>
            {Object.entries(fields).map(([name, value]) => (
              <input type="hidden" name={name} value={value} key={name} />
            ))}
            <button type="submit">
              {act.label}: {count}
            </button>
          </form>
        </Group>
      </div>
    ),
  };
}
