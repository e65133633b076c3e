import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { ActionButton } from '../html/form.js';
import { Icon } from '../html/icons.js';
import { Empty } from '../html/pins.js';
import { RailText, Two } from '../html/two.js';
import { queryOf } from '../server/context.js';
import type { Part } from '../server/page-part.js';
import { RUN_FILTERS, type HistoryPage } from '../../app/runs/history-page.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnSite, parseNumber } from '../server/requested-site.js';
import { SiteMast } from './site-mast.js';
import { CSV_TYPE, formatRunsAsCsv } from './csv.js';
import { fileNameOf, offerExport } from './offer-file.js';
import { Runs } from './runs-main.js';

/** The history of a site by number, a page at a time. */
export const addRunsPage: Part = (router, { exports, sites, history, siteNotes, clock, sendPage }) => {
  router.get('/sites/:siteId/runs.csv', async (ctx) => {
    const site = await loadOwnSite(ctx, { sites });
    const parts = formatRunsAsCsv(() => history.eachRun(site));
    const name = fileNameOf({ site }, '.csv');
    await offerExport(ctx, { exports }, { accountId: site.accountId, parts, type: CSV_TYPE, name });
  });

  router.get('/sites/:siteId/runs', async (ctx) => {
    const site = await loadOwnSite(ctx, { sites });
    const before = parseNumber(queryOf(ctx, 'before'));
    const filter = RUN_FILTERS.find((one) => one === queryOf(ctx, 'show')) ?? 'all';
    const page = await history.page(site, { filter, ...(before !== null && { before }) });
    const hasRuns = site.latestNumber > 0;
    sendPage(ctx, {
      title: `Runs, ${site.hostname}`,
      styles: ['compare.css', 'charts.css', 'lists.css'],
      mast: (
        <SiteMast
          site={site}
          title={describeRuns(page)}
          note={siteNotes?.get(site.id)}
          at={addressOf.runs(site.id)}
          actions={hasRuns ? <CsvLink siteId={site.id} /> : undefined}
        />
      ),
      main: hasRuns ? (
        <Runs site={site} {...{ page, filter }} now={clock.now()} />
      ) : (
        <NoRuns siteId={site.id} isVerified={site.verifiedAt !== null} />
      ),
    });
  });
};

function CsvLink({ siteId }: { readonly siteId: string }): JSX.Element {
  return (
    <a class="btn quiet" href={`${addressOf.runs(siteId)}.csv`}>
      <Icon name="down" />
      CSV<span class="hide"> of all runs</span>
    </a>
  );
}

/** What came out of them, in a few words: `14 runs, from 38 to 67, best 72`; where they went up and down all along, how they stand. */
export function describeRuns({ charted, counts }: Pick<HistoryPage, 'charted' | 'counts'>): string {
  if (counts.all === 0) return 'No run yet';
  const scores = charted.flatMap(({ score }) => (score === null ? [] : [score]));
  const [first, last] = [scores.at(0), scores.at(-1)];
  const runs = countOf(counts.all, 'run');
  if (last === undefined) return `${runs}, none with a score`;
  if (scores.length === 1) return `${runs}, ${last} of 100`;
  const best = Math.max(...scores);
  const isWayward = counts.all > charted.length || turnsOf(scores) >= TURNS_MIN;
  if (isWayward) return `${runs}, now at ${last}${best > last ? `, best ${best}` : ''}`;
  if (scores.every((score) => score === first)) return `${runs}, always ${last}`;
  return `${runs}, from ${first} to ${last}${best > Math.max(first ?? 0, last) ? `, best ${best}` : ''}`;
}

/** So many times up after down, or down after up, and there is no way from the first score to the last. */
const TURNS_MIN = 4;

function turnsOf(scores: readonly number[]): number {
  const steps = scores
    .map((score, index) => Math.sign(score - (scores[index - 1] ?? score)))
    .filter((step) => step !== 0);
  return steps.filter((step, index) => index > 0 && step !== steps[index - 1]).length;
}

function NoRuns({ siteId, isVerified }: { readonly siteId: string; readonly isVerified: boolean }): JSX.Element {
  return (
    <Two
      rail={
        <RailText title="What starts a run">
          You, whenever you like. By itself: <a href={addressOf.automation(siteId)}>a schedule or a deployment</a>, and
          your programs by <a href="/keys">the API</a>.
        </RailText>
      }
    >
      <Empty>
        <h2>Your runs will be listed here</h2>
        <p>Each with its score and with what changed, so that you see when something broke.</p>
        {isVerified ? (
          <ActionButton action={addressOf.runs(siteId)} icon="play">
            Start the first run
          </ActionButton>
        ) : (
          <a class="btn" href={addressOf.verify(siteId)}>
            Verify the domain first
          </a>
        )}
      </Empty>
    </Two>
  );
}
