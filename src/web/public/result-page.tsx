import type { JSX } from 'preact';
import { FREE_SCAN_CACHE_MS, REPLACEABLE_AFTER_MS } from '../../app/free-scan/free-scan-store.js';
import type { FreeScan } from '../../app/free-scan/free-scan.js';
import { laterThan } from '../../platform/clock.js';
import { CopyLink } from '../html/fold.js';
import { ActionButton } from '../html/form.js';
import { formatMoment } from '../html/format.js';
import { NoScore } from '../html/no-score.js';
import { reportView } from '../html/report-view.js';
import { ScanForm } from '../html/scan-form.js';
import { Time } from '../html/text.js';
import { SidebarPart } from '../html/sidebar.js';
import type { Page } from '../server/page.js';
import { SCAN_PATHS, wayToAccount, withNext } from '../server/paths.js';
import { MarkdownLink, visitorReport } from './report-page.js';

interface ResultPageProps {
  readonly scan: FreeScan;
  readonly now: Date;
  readonly isSignUpOpen: boolean;
  readonly isSignedIn: boolean;
}

/** The result of a free scan. */
export function resultPage(props: ResultPageProps): Page {
  const { scan, now } = props;
  const { hostname, finishedAt } = scan;
  const agentHref = SCAN_PATHS.forAgents(hostname);
  const view = reportView(scan, { agentHref });
  return {
    title: `Free scan of ${hostname}`,
    ...visitorReport({
      hostname,
      view,
      now,
      over: 'Result of a free scan',
      facts: (
        <li>
          Scanned{' '}
          <b>
            <Time at={finishedAt} now={now} />
          </b>
        </li>
      ),
      rail: <Rail {...props} />,
      unjudged: (
        <NoScore
          view={view}
          at={`${formatMoment(finishedAt, finishedAt)} UTC`}
          again={
            <>
              <a href="#site">Scan it again</a>.
            </>
          }
          actions={<CopyLink href={agentHref} label="For your agent" />}
        />
      ),
    }),
  };
}

function Rail({ scan: { hostname, score, finishedAt }, isSignUpOpen, isSignedIn }: ResultPageProps): JSX.Element {
  const freeAgain = laterThan(new Date(finishedAt), score === null ? REPLACEABLE_AFTER_MS : FREE_SCAN_CACHE_MS);
  const next = `/sites/new?site=${encodeURIComponent(hostname)}`;
  const [path, label] = wayToAccount(isSignUpOpen, next);
  return (
    <>
      <SidebarPart title="Is this your site?">
        <p class="small soft">
          Verify that you own it{!isSignedIn && ', with an account,'} to see the requests behind each failure, test your
          firewall, check a fix within a minute, and compare runs.
        </p>
        {isSignedIn ? (
          <ActionButton action="/sites" icon="plus" fields={{ site: hostname }}>
            Add to my sites
          </ActionButton>
        ) : (
          <div class="row">
            <a class="btn" href={path}>
              {label}
            </a>
            <a class="btn quiet" href={withNext('/sign-in', next)}>
              Sign in
            </a>
          </div>
        )}
      </SidebarPart>
      <MarkdownLink href={SCAN_PATHS.markdown(hostname)} />
      <SidebarPart title={score === null ? 'Scan it again, or another' : 'Scan another site'}>
        <ScanForm
          action={SCAN_PATHS.form}
          value={score === null ? hostname : ''}
          hint={`This one can be scanned again from ${formatMoment(freeAgain, finishedAt)} UTC.`}
          isNamed
          isQuiet
        />
      </SidebarPart>
    </>
  );
}
