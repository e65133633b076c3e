import type { JSX } from 'preact';
import { Pins } from '../html/pins.js';
import type { SiteTrend } from '../../app/runs/overview.js';
import type { ListedSite } from './sites-view.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { headlineOf } from '../../scanner/report/failures.js';
import { pinGroupsOf, UNJUDGED_PINS } from '../../scanner/report/pins.js';
import { AsciiName, cutText, HostName, ScoreFigure } from '../html/page-header.js';
import { memoized } from '../html/memoized.js';
import { addressOf } from '../server/site-paths.js';
import type { SiteNote } from '../../app/sites/site.js';
import { describeMissing } from '../../app/sites/ownership-recheck.js';
import { Sparkline } from './score-chart.js';

/** Longer names are cut. */
const HOST_CHARS = 36;

interface SiteRowProps {
  readonly listed: ListedSite;
  readonly note: SiteNote | undefined;
  /** True if it has a checkbox. */
  readonly canSelect: boolean;
  /** Null before the first run. */
  readonly trend: SiteTrend | null;
  /** Times in words; undefined for never. */
  readonly last: string | undefined;
  readonly next: string | undefined;
}

/**
 * One site of the list: its pins, what changed, how it went; on a narrow screen without its next run. A page has fifty of them, so it takes
 * few bytes.
 */
export const SiteRow = memoized(
  Row,
  ({ listed }) => listed,
  ({ note, trend, last, next, canSelect }) => [note?.what, trend === null, last, next, canSelect].join('\n'),
);

function Row(props: SiteRowProps): JSX.Element {
  const { site, judged, state } = props.listed;
  const { id, hostname, missingProof } = site;
  return (
    <tr>
      <th scope="row">
        <a href={state === 'unverified' ? addressOf.verify(id) : addressOf.site(id)}>
          <HostName name={hostname} max={HOST_CHARS} />
        </a>
        <AsciiName name={hostname} max={HOST_CHARS} />
        {missingProof && state !== 'unverified' && (
          <a class="hint" href={addressOf.verify(id)}>
            {describeMissing(missingProof)}
          </a>
        )}
        {props.note && <small>{props.note.what}</small>}
        {site.tags.length > 0 && <Tags tags={site.tags} />}
        <WorstFailure {...props} />
        {props.canSelect && <input type="checkbox" name="site" value={id} aria-label={hostname} />}
      </th>
      <td class="c-pins">
        {state === 'unscored' ? (
          <Pins groups={UNJUDGED_PINS} isDecorative />
        ) : (
          <Pins groups={pinGroupsOf(judged?.findings ?? [])} />
        )}
      </td>
      {state === 'unverified' || state === 'new' ? <FirstStep {...props} /> : <Results {...props} />}
    </tr>
  );
}

/** Number of tags in a row; the settings have all. */
const TAGS_SHOWN = 3;
/** Longer tags are cut. */
const TAG_BYTES_SHOWN = 36;

function Tags({ tags }: { readonly tags: readonly string[] }): JSX.Element {
  return (
    <small class="tag">
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <bdi key={tag}>{shownOf(tag)}</bdi>
      ))}
      {tags.length > TAGS_SHOWN && ` and ${tags.length - TAGS_SHOWN} more`}
    </small>
  );
}

function shownOf(tag: string): string {
  const bytes = Buffer.byteLength(tag);
  return bytes <= TAG_BYTES_SHOWN ? tag : cutText(tag, Math.floor((TAG_BYTES_SHOWN * tag.length) / bytes));
}

/** Names what to fix first. Of a site without a score, only the last score is known. */
function WorstFailure({ listed, trend }: SiteRowProps): JSX.Element | null {
  const { worstFailure, judged, state, latestNumber } = listed;
  if (state === 'unscored') return judged && <small>The last score was {judged.score}</small>;
  if (worstFailure === null || state === 'unverified' || trend === null) return null;
  const since = trend.since.get(worstFailure.checkId);
  return (
    <small>
      {headlineOf({ ...worstFailure, title: null })}
      {since === undefined ? `, since run ${latestNumber - trend.runs.length + 1} or before` : describeSince(since)}
    </small>
  );
}

function describeSince(number: number): string {
  return number > 1 ? `, since run ${number}` : '';
}

/** The next step of a site without results. */
function FirstStep({ listed: { site, state }, next }: SiteRowProps): JSX.Element {
  const { id, hostname, ownershipLostAt } = site;
  return (
    <>
      <td />
      <td colSpan={4}>
        {state === 'new' ? (
          <>
            No run yet. <a href={addressOf.site(id)}>Start the first</a>
          </>
        ) : (
          <a href={addressOf.verify(id)}>
            {ownershipLostAt === null ? 'Verify that you own the domain' : 'No longer verified: verify again'}
            <span class="hide">: {hostname}</span>
          </a>
        )}
      </td>
      <td>{state === 'unverified' ? next && 'once verified' : <NextRun siteId={id} next={next} />}</td>
    </>
  );
}

function Results({ listed, trend, last, next, canSelect }: SiteRowProps): JSX.Element {
  const { site, judged, state, toFix } = listed;
  return (
    <>
      <td class="c-score">
        <ScoreFigure score={state === 'unscored' ? null : (judged?.score ?? null)} isExplained={state === 'unscored'} />
      </td>
      <td class="c-chg">
        <Change listed={listed} />
      </td>
      <td class="c-fix">{toFix === 0 ? <span class="soft">0</span> : toFix}</td>
      <td>
        {/* A page has no room for both. */}
        {!canSelect && <Sparkline runs={trend?.runs ?? []} />}
      </td>
      <td class="c-when">{last}</td>
      <td>
        <NextRun siteId={site.id} next={next} />
      </td>
    </>
  );
}

/** Changes since the last run with a score. */
function Change({ listed: { judged, state, unscoredRuns } }: { readonly listed: ListedSite }): JSX.Element | null {
  if (state === 'unscored') return <span class="chip is-u">No score, {countOf(unscoredRuns, 'run')}</span>;
  const { points = 0, newFailures = 0, fixed = 0 } = judged?.change ?? {};
  if (points === 0 && newFailures === 0) {
    if (!judged?.change) return <span class="soft small">first score</span>;
    return fixed > 0 ? (
      <span class="soft small">{fixed} fixed</span>
    ) : (
      <span class="soft small">
        <span aria-hidden="true">–</span>
        <span class="hide">as before</span>
      </span>
    );
  }
  return (
    <>
      {points !== 0 && <Points points={points} isWorse={state === 'worse'} />}
      {newFailures > 0 && <span class="chip is-f">{newFailures} new</span>}
    </>
  );
}

/** A lower score without a new failure is not marked as worse: other checks were judged. */
function Points({ points, isWorse }: { readonly points: number; readonly isWorse: boolean }): JSX.Element {
  const [word, kind] = points > 0 ? (['up ', 'up'] as const) : (['down ', isWorse ? 'down' : 'down soft'] as const);
  return (
    <>
      <span class={kind}>
        <span class="hide">{word}</span>
        {Math.abs(points)}
      </span>{' '}
    </>
  );
}

function NextRun({ siteId, next }: { readonly siteId: string; readonly next: string | undefined }): JSX.Element {
  return next === undefined ? <a href={addressOf.automation(siteId)}>no schedule</a> : <>{next}</>;
}
