import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import { pinGroupsOf } from '../../../scanner/report/pins.js';
import { Icon } from '../../../web/kit/components/icons.js';
import { HostName } from '../../../web/kit/components/mast.js';
import { Pins } from '../../../web/kit/components/pins.js';
import { formatRelative } from '../../../web/kit/format.js';
import type { Trend } from '../../runs/overview.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { describeUnread } from '../../sites/unread-proof-words.js';
import { Sparkline } from './chart.js';
import type { ListedSite } from './sites-view.js';

export interface SiteRowProps {
  readonly listed: ListedSite;
  readonly trend: Trend;
  readonly nextRunAt: string | undefined;
  readonly now: Date;
}

/** One site of the list: its pins, what changed, how it went. On a narrow screen its name, pins, score and change. */
export function SiteRow(props: SiteRowProps): JSX.Element {
  const { site, judged, state } = props.listed;
  const { id, hostname, unreadProof } = site;
  return (
    <tr>
      <th scope="row">
        <a href={state === 'unverified' ? addressOf.verify(id) : addressOf.site(id)}>
          <HostName name={hostname} isDouble />
        </a>
        {unreadProof && state !== 'unverified' && (
          <a class="hint" href={addressOf.verify(id)}>
            {describeUnread(unreadProof)}
          </a>
        )}
      </th>
      <td class="c-pins">
        <Pins groups={pinGroupsOf(judged?.findings ?? [])} size="pins-s" />
      </td>
      {state === 'unverified' || state === 'new' ? <FirstStep {...props} /> : <Results {...props} />}
    </tr>
  );
}

/** What there is to do before a site has results, or can have new ones. */
function FirstStep({ listed: { site, state }, nextRunAt, now }: SiteRowProps): JSX.Element {
  const { id, hostname, ownershipLostAt } = site;
  return (
    <>
      <td class="c-score" />
      <td class="c-chg" colSpan={4}>
        {state === 'new' ? (
          <>
            No run yet. <a href={addressOf.site(id)}>Start the first</a>
          </>
        ) : (
          <a href={addressOf.verify(id)}>
            {ownershipLostAt === null ? 'Verify that the domain is yours' : 'No longer verified: verify again'}
            <span class="hide">: {hostname}</span>
          </a>
        )}
      </td>
      <td>{state === 'unverified' ? nextRunAt && 'once verified' : <NextRun at={nextRunAt} now={now} />}</td>
    </>
  );
}

function Results({ listed, trend, nextRunAt, now }: SiteRowProps): JSX.Element {
  const { judged, state, toFix, latestAt } = listed;
  return (
    <>
      <td class={state === 'unscored' ? 'r big soft c-score' : 'r big c-score'}>
        {state === 'unscored' && <span class="hide">last score </span>}
        {judged?.score ?? '–'}
      </td>
      <td class="c-chg">
        <Change listed={listed} />
      </td>
      <td class="r">{toFix === 0 ? <span class="soft">0</span> : toFix}</td>
      <td>
        <Sparkline runs={trend} />
      </td>
      <td>{latestAt !== null && <When at={latestAt} now={now} />}</td>
      <td>
        <NextRun at={nextRunAt} now={now} />
      </td>
    </>
  );
}

/** What changed since the run with a score before. */
function Change({ listed: { judged, state, unscoredRuns } }: { readonly listed: ListedSite }): JSX.Element | null {
  if (state === 'unscored') return <span class="chip is-u">No score, {countOf(unscoredRuns, 'run')}</span>;
  const { points = 0, newFailures = 0 } = judged?.change ?? {};
  return (
    <>
      {points !== 0 && <Points points={points} isWorse={state === 'worse'} />}
      {newFailures > 0 && <span class="chip is-f">{newFailures} new</span>}
    </>
  );
}

/** A score that fell although nothing newly fails is not marked as worse: something could not be judged, or is judged now. */
function Points({ points, isWorse }: { readonly points: number; readonly isWorse: boolean }): JSX.Element {
  const [icon, word, kind] = points > 0 ? (['up', 'up ', 'up'] as const) : (['fall', 'down ', 'down'] as const);
  return (
    <>
      <span class={points > 0 || isWorse ? kind : 'soft'}>
        <Icon name={icon} />
        <span class="hide">{word}</span>
        {Math.abs(points)}
      </span>{' '}
    </>
  );
}

/** By the schedule: a time in the past is a run that is queued. */
function NextRun({ at, now }: { readonly at: string | undefined; readonly now: Date }): JSX.Element | null {
  if (at === undefined) return null;
  return Date.parse(at) <= now.getTime() ? <>due now</> : <When at={at} now={now} />;
}

/** A time to the minute, without its words: a page has a hundred of them. */
function When({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  return <time dateTime={`${at.slice(0, 16)}Z`}>{formatRelative(new Date(at), now)}</time>;
}
