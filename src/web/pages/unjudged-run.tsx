import type { JSX } from 'preact';
import { describeFailure } from '../../scanner/artifacts/resource.js';
import { commonCause } from '../../scanner/report/no-score.js';
import type { ShownEvidence, SiteExchange } from '../../scanner/trace/kept-evidence.js';
import { CopyLink } from '../html/fold.js';
import { formatUtc } from '../html/format.js';
import { Icon } from '../html/icons.js';
import { Group } from '../html/mast.js';
import { NoScore } from '../html/no-score.js';
import { addressOf } from '../server/site-paths.js';
import type { OwnReport } from './own-report.js';

/** Manual runs of a site today. */
export interface RunBudget {
  readonly left: number;
  readonly limit: number;
}

interface UnjudgedRunProps {
  readonly own: OwnReport;
  /** Left out where no run can be started. */
  readonly budget: RunBudget | undefined;
}

/** A run in which nothing could be judged: the cause, what to do, and the requests behind it. */
export function UnjudgedRun({ own, budget }: UnjudgedRunProps): JSX.Element {
  const { site, run, view, evidence, later } = own;
  const { number, startedAt } = run.response.run;
  const { findings, origin } = view.scan;
  const cause = commonCause(findings);
  const { checkId } = findings.find(({ detail }) => detail === cause) ?? findings[0] ?? { checkId: '' };
  const shown = evidence.ofRun.get(checkId);
  const scored = later?.scored;
  return (
    <NoScore
      view={view}
      at={formatUtc(startedAt)}
      past={
        scored && (
          <>
            <a href={addressOf.run(site.id, scored.number)}>Run {scored.number}</a> has a score again, {scored.score}.
            There is nothing to do.
          </>
        )
      }
      again={budget ? 'Press Run now.' : <Again siteId={site.id} isLatest={run.nextNumber === null} />}
      actions={
        <>
          {budget && <RunNow siteId={site.id} budget={budget} />}
          <CopyLink href={addressOf.runForAgents(site.id, number)} label="For your agent" />
        </>
      }
    >
      {shown && <Requests origin={origin} shown={shown} href={addressOf.evidence(site.id, number, checkId)} />}
    </NoScore>
  );
}

/** Leads to where a run can be started, from an older run or a site that is not verified. */
function Again({ siteId, isLatest }: { readonly siteId: string; readonly isLatest: boolean }): JSX.Element {
  if (isLatest) {
    return (
      <>
        <a href={addressOf.verify(siteId)}>Verify the domain</a>, then press Run now.
      </>
    );
  }
  return (
    <>
      <a href={addressOf.site(siteId)}>Start a run</a> if the latest run has no score either.
    </>
  );
}

/** The button that starts a run. Says so if all manual runs of the day are used. */
export function RunNow({ siteId, budget }: { readonly siteId: string; readonly budget: RunBudget }): JSX.Element {
  const isSpent = budget.left === 0;
  return (
    <>
      {isSpent && (
        <span id="budget" class="soft small">
          All {budget.limit} manual runs of today are used. They renew at 00:00 UTC.
        </span>
      )}
      <form method="post" action={addressOf.runs(siteId)}>
        <button type="submit" disabled={isSpent} aria-describedby={isSpent ? 'budget' : undefined}>
          <Icon name="play" />
          Run now
        </button>
      </form>
    </>
  );
}

interface RequestsProps {
  readonly origin: string;
  readonly shown: ShownEvidence;
  /** The page that shows them in full. */
  readonly href: string;
}

/** Requests and answers in our words: only the page of the evidence quotes the site. */
function Requests({ origin, shown, href }: RequestsProps): JSX.Element | null {
  const requests = shown.exchanges.flatMap(({ exchange }) => (exchange.source === 'site' ? [exchange] : []));
  if (requests.length === 0) return null;
  return (
    <section class="sec" aria-labelledby="requests">
      <h2 id="requests">
        Requests <span class="soft num">{requests.length + shown.omittedCount}</span>
      </h2>
      <Group level="h3" title="Evidence" meaning={<a href={href}>See them in full</a>}>
        <ol class="items">
          {requests.map((exchange, index) => (
            <li key={index}>
              <span class="num soft">{index + 1}</span>
              <span>{targetOf(exchange, origin)}</span>
              <span>
                <b class={isRefused(exchange) ? 'num is-f' : 'num'}>{answerOf(exchange)}</b>
                {exchange.durationMs !== null && <span class="soft small"> {exchange.durationMs} ms</span>}
              </span>
            </li>
          ))}
        </ol>
      </Group>
    </section>
  );
}

/** Names the home page. Other addresses are the site's own words. */
function targetOf({ url, isControl }: SiteExchange, origin: string): string {
  if (isControl) return 'A control: a URL that can’t exist';
  return url === `${origin}/` ? 'The home page' : 'Another address of the site';
}

/** A 404 is an answer: what was requested does not exist. */
function isRefused({ answer, isControl }: SiteExchange): boolean {
  return !isControl && ('failure' in answer || (answer.status >= 400 && answer.status !== 404));
}

function answerOf({ answer }: SiteExchange): string {
  return 'failure' in answer ? describeFailure(answer.failure).text : String(answer.status);
}
