import type { RunLine } from '../../app/runs/run-lines.js';
import { type HistoryPage, PAGE_RUNS } from '../../app/runs/history.js';
import { describeStart } from '../../app/runs/run.js';
import type { OwnSite } from '../../app/sites/site.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { type Change, changedFailures } from '../../scanner/report/comparison.js';
import { titleOf } from '../../scanner/report/failures.js';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { Callout, Moment } from '../html/text.js';
import { Empty, Legend, PinHeads, Pins } from '../html/pins.js';
import { HiddenFields, LinkButton, Pager } from '../html/sections.js';
import { type Column, Table } from '../html/table.js';
import { loadOwnSite, parseNumber, queriesOf, queryOf, sendPage } from '../server/routes.js';
import type { AddRoutes } from '../server/page.js';
import { seeOther } from '../../platform/http/answer.js';
import { addressOf } from '../server/paths.js';
import { describeAssistants, ScoreMove } from './compare.js';
import { isCharted, ScoreChart } from './score-chart.js';
import { SiteHeader } from '../html/page-header.js';

/** Name of the button that compares the ticked runs. */
const COMPARE = 'compare';

/** Serves the history of a site: a page of runs, newest first. */
export const addRunsPage: AddRoutes = (router, { history }) => {
  router.get('/sites/:siteId/runs', async (ctx) => {
    const site = await loadOwnSite(ctx);
    const before = parseNumber(queryOf(ctx, 'before')) ?? undefined;
    const ticked = new Set(queriesOf(ctx, 'run'));
    const isComparing = queryOf(ctx, COMPARE) !== '';
    if (isComparing && ticked.size === 2) {
      const query = new URLSearchParams([...ticked].map((run) => ['run', run]));
      seeOther(ctx, `${addressOf.compare(site.id)}?${query.toString()}`);
      return;
    }
    const page = await history.page(site, before);
    sendPage(ctx, {
      title: `${isComparing ? 'Error: ' : ''}Runs, ${site.hostname}`,
      ...(isComparing && {
        error: `Tick two runs to compare. ${ticked.size || 'None'} ${ticked.size === 1 ? 'is' : 'are'} ticked.`,
        status: 422,
      }),
      header: (
        <SiteHeader site={site} title={describeRuns(page.charted, site.latestNumber)} at={addressOf.runs(site.id)} />
      ),
      main: site.latestNumber > 0 ? <Runs {...{ site, page, before, ticked }} /> : <NoRuns site={site} />,
    });
  });
};

/** `14 runs, now at 67, best 72`. */
function describeRuns(charted: readonly RunLine[], count: number): string {
  if (count === 0) return 'No runs yet';
  const scores = charted.flatMap(({ score }) => (score === null ? [] : [score]));
  const [last, best] = [scores.at(-1), Math.max(...scores)];
  const words = last === undefined ? 'none with a score' : `now at ${last}${best > last ? `, best ${best}` : ''}`;
  return `${countOf(count, 'run')}, ${words}`;
}

function NoRuns({ site: { id, verifiedAt } }: { readonly site: OwnSite }) {
  return (
    <div class="w over-text">
      <Empty>
        <h2>Your runs will be listed here</h2>
        <p>Each with its score and what changed. Start runs yourself, on a schedule, or after each deployment.</p>
        <LinkButton
          href={addressOf.site(id)}
          label={verifiedAt === null ? 'Verify the domain first' : 'Start the first run'}
        />
      </Empty>
    </div>
  );
}

interface RunsProps {
  readonly site: OwnSite;
  readonly page: HistoryPage;
  /** Only runs with a lower number are shown. */
  readonly before: number | undefined;
  /** The numbers of the ticked runs. */
  readonly ticked: ReadonlySet<string>;
}

/** Shows the score chart, then a page of runs with checkboxes to compare two of them. */
function Runs({ site, page, before, ticked }: RunsProps) {
  const { lines, charted } = page;
  const canCompare = lines.filter(({ score }) => score !== null).length > 1;
  return (
    <div class="w over-text">
      {isCharted(charted) && <ScoreChart runs={charted} />}
      {charted.every(({ score }) => score === null) && (
        <Callout result="UNDETERMINED">
          <b>No run could judge this site.</b> <a href={addressOf.run(site.id, site.latestNumber)}>What to do</a>
        </Callout>
      )}
      <form action={addressOf.runs(site.id)}>
        <HiddenFields fields={{ before: String(before ?? '') }} />
        {canCompare && (
          <div class="row bar">
            <button class="quiet tight" type="submit" name={COMPARE} value="two">
              Compare two runs
            </button>
          </div>
        )}
        <Table
          kind="sheet cards"
          caption="Runs"
          columns={columnsOf(site.id, canCompare ? ticked : null)}
          groups={[{ rows: lines }]}
        />
        <div class="row apart more">
          <Legend />
          <HistoryPager site={site} lines={lines} />
        </div>
      </form>
    </div>
  );
}

interface HistoryPagerProps {
  readonly site: OwnSite;
  /** The runs of this page. */
  readonly lines: readonly RunLine[];
}

function HistoryPager({ site: { id, latestNumber }, lines }: HistoryPagerProps) {
  const [newest = latestNumber, oldest = 1] = [lines[0]?.number, lines.at(-1)?.number];
  if (newest === latestNumber && oldest === 1) return null;
  const newer = newest + PAGE_RUNS + 1;
  return (
    <Pager
      label="Pages of the history"
      links={[
        newest < latestNumber && [addressOf.runs(id, newer > latestNumber ? undefined : newer), 'Newer'],
        oldest > 1 && [addressOf.runs(id, oldest), 'Older'],
      ]}
    />
  );
}

/** One row per run, so that each column of pins shows the history of one check. @param ticked null hides the checkboxes */
function columnsOf(siteId: string, ticked: RunsProps['ticked'] | null): readonly Column<RunLine>[] {
  const pick: Column<RunLine> = {
    title: <span class="hide">Pick two to compare</span>,
    kind: 'c-pick',
    cell: ({ number }) => (
      <input
        {...{ type: 'checkbox', name: 'run', value: number, 'aria-label': `Pick run ${number}` }}
        checked={ticked?.has(String(number))}
      />
    ),
  };
  const heads = (
    <>
      <span class="hide">Checks</span>
      <PinHeads />
    </>
  );
  return [
    ...(ticked === null ? [] : [pick]),
    { title: 'Run', isName: true, cell: ({ number }) => <a href={addressOf.run(siteId, number)}>Run {number}</a> },
    { title: heads, kind: 'c-pins', cell: ({ findings }) => <Pins groups={pinGroupsOf(findings)} /> },
    { title: 'Score', kind: 'r big c-score', cell: ({ score }) => score ?? <span class="chip is-u">No score</span> },
    {
      title: 'Change',
      kind: 'c-chg',
      cell: ({ change, isWorse }) =>
        change && <ScoreMove points={change.to.score - change.from.score} isWorse={isWorse} />,
    },
    { title: 'What changed', kind: 'small c-what', cell: (line) => <WhatChanged line={line} /> },
    {
      title: 'Finished, UTC',
      kind: 'soft small c-when',
      cell: ({ finishedAt, trigger, label }) => (
        <>
          <Moment at={finishedAt} />, {describeStart(trigger, label)}
        </>
      ),
    },
  ];
}

/** Names the changed checks by kind, and counts the rest. */
function WhatChanged({ line: { change } }: { readonly line: RunLine }) {
  if (change === null) return null;
  const { newFailures, fixed, nowJudged, changed } = change.comparison;
  const kinds = [
    ['down', 'Broke', newFailures],
    ['up', 'Fixed', fixed],
    ['soft', 'Newly checked', nowJudged],
    ['soft', 'Fails differently', changedFailures(change.comparison)],
  ] as const;
  return (
    <>
      {describeAssistants(change).map((sentence) => (
        <div key={sentence}>{sentence}</div>
      ))}
      {kinds.map(
        ([tone, title, changes]) =>
          changes.length > 0 && (
            <div key={title}>
              <span class={tone}>{title}:</span> {nameSome(changes)}
            </div>
          ),
      )}
      {changed.length > 0 && <div class="soft">{changed.length} more changed</div>}
    </>
  );
}

/** Most checks named for a kind of change. The rest are counted. */
const NAMES_MAX = 3;

/** `llms.txt links, Sitemap and 4 more` */
function nameSome(changes: readonly Change[]): string {
  const shown = changes.length > NAMES_MAX ? changes.slice(0, NAMES_MAX - 1) : changes;
  const names = shown.map(({ checkId }) => titleOf(checkId)).join(', ');
  return shown.length === changes.length ? names : `${names} and ${changes.length - shown.length} more`;
}
