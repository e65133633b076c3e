import { queryOf } from '../../../web/kit/context.js';
import { Pager } from '../../../web/kit/components/pager.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part } from '../../part.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownSite, parseNumber } from '../../sites/pages/asked-site.js';
import { RunTable } from './run-table.js';

const RUNS_A_PAGE = 50;

/** The history of a site by number, a page at a time. */
export const addRunsPage: Part = (router, { sites, history, clock, sendPage }) => {
  router.get('/sites/:siteId/runs', async (ctx) => {
    const site = await ownSite(ctx, { sites });
    const before = parseNumber(queryOf(ctx, 'before'));
    const { runs, hasMore } = await history.page(site, { limit: RUNS_A_PAGE, ...(before !== null && { before }) });
    const [newest, oldest] = [runs.at(0)?.number, runs.at(-1)?.number];
    const range = newest === oldest ? `Run ${newest}` : `Runs ${newest} to ${oldest}, the newest first`;
    sendPage(ctx, {
      title: `Runs, ${site.hostname}`,
      main: (
        <>
          <Heading lead={<a href={addressOf.site(site.id)}>{site.hostname}</a>}>Runs</Heading>
          {runs.length === 0 ? (
            <p>
              {before === null
                ? 'There is no run yet. Start one on the page of the site.'
                : 'There are no earlier runs.'}
            </p>
          ) : (
            <RunTable siteId={site.id} runs={runs} caption={range} now={clock.now()} />
          )}
          <Pager
            label="Pages of the history"
            address={addressOf.runs(site.id)}
            isLatest={before === null}
            before={hasMore ? (oldest ?? null) : null}
            what="runs"
          />
        </>
      ),
    });
  });
};
