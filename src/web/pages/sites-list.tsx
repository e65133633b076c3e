import { describeMissing } from '../../app/sites/missing-proof.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { headlineOf } from '../../scanner/report/failures.js';
import { pinGroupsOf, UNJUDGED_PINS } from '../../scanner/report/pins.js';
import { formatRelative } from '../html/text.js';
import { AsciiName, cutText, HostName } from '../html/page-header.js';
import { Pins } from '../html/pins.js';
import { type Column, Table } from '../html/table.js';
import { addressOf } from '../server/paths.js';
import { ScoreMove } from './compare.js';
import { Sparkline } from './score-chart.js';
import { GROUPS, type ListedSite, type SitesView, sortHref, type SortKey } from './sites-view.js';

interface SiteTableProps {
  readonly view: SitesView;
  /** The sites found, on all pages. */
  readonly found: readonly ListedSite[];
  /** The sites on this page. */
  readonly shown: readonly ListedSite[];
  /** When each site runs next, by id. */
  readonly nextRuns: ReadonlyMap<string, string>;
  /** Ids of the ticked sites. */
  readonly ticked: ReadonlySet<string>;
  readonly now: Date;
}

/** The table of sites; in its default order, it has groups. */
export function SiteTable(props: SiteTableProps) {
  const { view, found, shown } = props;
  const groups = Object.entries(GROUPS).map(([name, states]) => {
    const isIn = ({ state }: ListedSite): boolean => states.some((one) => one === state);
    const title = (
      <>
        {name} <span class="soft num">{found.filter(isIn).length}</span>
      </>
    );
    return { title, rows: shown.filter(isIn) };
  });
  return (
    <Table
      kind="cards list more"
      caption={view.page > 1 ? `Sites, page ${view.page}` : 'Sites'}
      columns={columnsOf(props)}
      groups={view.sort === '' ? groups.filter(({ rows }) => rows.length > 0) : [{ rows: shown }]}
    />
  );
}

function columnsOf({ view, nextRuns, ticked, now }: SiteTableProps): readonly Column<ListedSite>[] {
  const lastRuns: Column<ListedSite> = {
    title: 'Last ten runs',
    cell: ({ trend, state }) => state !== 'unverified' && <Sparkline runs={trend} />,
  };
  return [
    {
      title: 'Site',
      sort: sortOf(view, 'site'),
      isName: true,
      cell: (listed) => {
        const { id, hostname } = listed.site;
        return (
          <>
            <Name listed={listed} />
            {view.isSelecting && (
              <input type="checkbox" name="site" value={id} aria-label={hostname} checked={ticked.has(id)} />
            )}
          </>
        );
      },
    },
    {
      title: 'Checks',
      kind: 'c-pins',
      cell: ({ state, lastScored }) => {
        if (state === 'no score') return <Pins groups={UNJUDGED_PINS} isDecorative />;
        return <Pins groups={pinGroupsOf(lastScored?.findings ?? [])} />;
      },
    },
    {
      title: 'Score',
      kind: 'r big c-score',
      sort: sortOf(view, 'score'),
      cell: ({ state, lastScored }) => (state === 'no score' ? '–' : (lastScored?.score ?? null)),
    },
    { title: 'Change', kind: 'c-chg', sort: sortOf(view, 'change'), cell: (listed) => <Change listed={listed} /> },
    { title: 'To fix', kind: 'r c-fix', sort: sortOf(view, 'fix'), cell: ({ toFix }) => toFix },
    // There is no room for both the charts and the checkboxes.
    ...(view.isSelecting ? [] : [lastRuns]),
    {
      title: 'Last run',
      kind: 'c-when',
      sort: sortOf(view, 'run'),
      cell: ({ latestAt }) => latestAt && formatRelative(new Date(latestAt), now),
    },
    {
      title: 'Next run',
      cell: ({ site: { id }, state }) => {
        const at = nextRuns.get(id);
        if (state === 'unverified') return at && 'once verified';
        if (at === undefined) return <a href={addressOf.automation(id)}>no schedule</a>;
        // A run is queued once its time has passed.
        return new Date(at) <= now ? 'due now' : formatRelative(new Date(at), now);
      },
    },
  ];
}

function sortOf(view: SitesView, key: SortKey) {
  const order = view.sort === key ? 'ascending' : view.sort === `-${key}` ? 'descending' : null;
  return { href: sortHref(view, key), order } as const;
}

/** Longer host names are cut. */
const HOST_CHARS = 36;
/** Limits the size of the page; the settings have all tags in full. */
const TAGS_SHOWN = 2;
const TAG_CHARS_SHOWN = 18;

function Name({ listed }: { readonly listed: ListedSite }) {
  const { site, state } = listed;
  const { id, hostname, missingProof, tags } = site;
  return (
    <>
      <a href={state === 'unverified' ? addressOf.verify(id) : addressOf.site(id)}>
        <HostName name={hostname} max={HOST_CHARS} />
      </a>
      <AsciiName name={hostname} max={HOST_CHARS} />
      {missingProof && state !== 'unverified' && (
        <a class="hint" href={addressOf.verify(id)}>
          {describeMissing(missingProof)}
        </a>
      )}
      {tags.length > 0 && (
        <small class="tag">
          {tags.slice(0, TAGS_SHOWN).map((tag) => (
            <bdi key={tag}>{cutText(tag, TAG_CHARS_SHOWN)}</bdi>
          ))}
          {tags.length > TAGS_SHOWN && ` and ${tags.length - TAGS_SHOWN} more`}
        </small>
      )}
      <WorstFailure listed={listed} />
    </>
  );
}

/** Names the most severe failure; for a site without a score, its last score. */
function WorstFailure({ listed }: { readonly listed: ListedSite }) {
  const { site, worstFailure, lastScored, state, trend, isSilent } = listed;
  if (state === 'no score') {
    return (
      <>
        {isSilent && <small>Did not answer</small>}
        {lastScored && <small>The last score was {lastScored.score}</small>}
      </>
    );
  }
  if (worstFailure === null || state === 'unverified') return null;
  const since = listed.since.get(worstFailure.checkId);
  const age =
    since === undefined ? `, since run ${site.latestNumber - trend.length + 1} or earlier` : `, since run ${since}`;
  return (
    <small>
      {headlineOf({ ...worstFailure, title: null })}
      {since !== 1 && age}
    </small>
  );
}

/** What changed since the last run with a score; for a site without results, its next step. */
function Change({ listed }: { readonly listed: ListedSite }) {
  const { site, lastScored, state, unscoredRuns } = listed;
  if (state === 'no score') return <span class="chip is-u">No score, {countOf(unscoredRuns, 'run')}</span>;
  if (state === 'no run') return <span class="soft small">No runs yet</span>;
  if (state === 'unverified') {
    return (
      <a class="small" href={addressOf.verify(site.id)}>
        {site.ownershipLostAt === null ? 'Verify' : 'No longer verified'}
        <span class="hide">: {site.hostname}</span>
      </a>
    );
  }
  if (!lastScored?.change) return <span class="soft small">first score</span>;
  const { points, fixed } = lastScored.change;
  const newFailures = lastScored.change.newFailures.length;
  if (points === 0 && newFailures === 0)
    return <span class="soft small">{fixed > 0 ? `${fixed} fixed` : 'unchanged'}</span>;
  return (
    <>
      <ScoreMove points={points} isWorse={newFailures > 0} />{' '}
      {newFailures > 0 && <span class="chip is-f">{newFailures} new</span>}
      {newFailures === 0 && points < 0 && fixed > 0 && <span class="soft small">{fixed} fixed</span>}
    </>
  );
}
