import type { ComponentChildren } from 'preact';
import type { FreeScan } from '../../app/free-scan/free-scan-store.js';
import type { FoundReport } from '../../app/publications/publications.js';
import { headlineOfAnswer } from '../../scanner/report/answer.js';
import type { Platform } from '../../scanner/verdict/fix-parts.js';
import { ActionButton, CopyLink, LinkButton, SidebarPart, WithSidebar } from '../html/sections.js';
import { ScanForm } from '../html/form.js';
import { PLATFORM_FIELD } from '../html/platform-fix.js';
import { Mark, Moment, Time } from '../html/text.js';
import { NoScore } from '../html/report-notes.js';
import { HostName, PageHeader } from '../html/page-header.js';
import { Empty } from '../html/pins.js';
import { ReportBody, ReportHead, SKIP_TO_FINDINGS } from '../html/report.js';
import { type ReportView, reportView } from '../html/report-view.js';
import type { Page, RouteDeps } from '../server/page.js';
import { PUBLIC_PAGES, PUBLIC_PATHS, SCAN_PATHS, accountLink, withNext } from '../server/paths.js';

interface VisitorReport {
  readonly hostname: string;
  readonly view: ReportView;
  /** Says whose report it is, above the name of the site. */
  readonly source: ComponentChildren;
  /** When and how the site was scanned, as `<li>` elements. */
  readonly facts: ComponentChildren;
  readonly sidebar: ComponentChildren;
  /** Shown instead of the findings if nothing could be judged. */
  readonly unjudged: ComponentChildren;
}

function visitorReport({ hostname, source, facts, ...body }: VisitorReport) {
  return {
    skip: SKIP_TO_FINDINGS,
    header: (
      <PageHeader tags={source} title={<HostName name={hostname} />}>
        <ReportHead view={body.view} facts={facts} />
      </PageHeader>
    ),
    main: <ReportBody {...body} />,
  };
}

/** Invites readers to scan their own site. */
const SCAN_ANOTHER = (
  <SidebarPart title="Is your site ready?">
    <ScanForm isLabelHidden hint="Free, without an account." />
  </SidebarPart>
);

const DESCRIPTION = 'How ready the site is for AI agents, published by its owner.';

export function reportPage({ hostname, report }: FoundReport, token: string): Page {
  const source = (
    <span>
      <Mark result="PASS" isDecorative /> Published by its verified owner
      {report && (
        <>
          , run of <Moment at={report.finishedAt} /> UTC
        </>
      )}
    </span>
  );
  if (report === null) {
    return {
      title: hostname,
      sharedDescription: DESCRIPTION,
      header: <PageHeader tags={source} title={<HostName name={hostname} />} />,
      main: (
        <WithSidebar sidebar={SCAN_ANOTHER}>
          <Empty>
            <h2>No runs yet</h2>
            <p>The report appears here after the first run.</p>
          </Empty>
        </WithSidebar>
      ),
    };
  }
  const view = reportView({ ...report, notes: [], movedTo: null }, { agentHref: null });
  const facts = (
    <li>
      <a href={PUBLIC_PAGES.checks.path}>What is checked, and how the score is calculated</a>
    </li>
  );
  const sidebar = (
    <>
      {SCAN_ANOTHER}
      <MarkdownLink href={PUBLIC_PATHS.reportMarkdown(token)} />
    </>
  );
  const unjudged = <NoScore view={view} at={report.finishedAt} />;
  return {
    title: `${hostname}: ${describeReport(view)}`,
    sharedDescription: `${DESCRIPTION} ${view.passed} checks that apply pass.`,
    ...visitorReport({ hostname, view, source, facts, sidebar, unjudged }),
  };
}

function MarkdownLink({ href }: { readonly href: string }) {
  return (
    <SidebarPart title="Copy it">
      <CopyLink href={href} label="As Markdown" />
    </SidebarPart>
  );
}

/** `ChatGPT can't read this site, 64 of 100, 3 things to fix` */
function describeReport({ scan: { answer, score }, toDo }: ReportView): string {
  const words = score === null ? 'no score' : `${score} of 100, ${toDo.join('').toLowerCase()}`;
  return answer === null ? words : `${headlineOfAnswer(answer)}, ${words}`;
}

interface ResultPageProps {
  readonly scan: FreeScan;
  readonly platform: Platform | null;
  readonly deps: RouteDeps;
  readonly isSignedIn: boolean;
}

export function resultPage(props: ResultPageProps): Page {
  const { scan, platform } = props;
  const { hostname, finishedAt } = scan;
  const query = platform === null ? '' : `?${PLATFORM_FIELD}=${encodeURIComponent(platform)}`;
  const agentHref = SCAN_PATHS.forAgents(hostname) + query;
  const view = reportView(scan, { agentHref, platform, platformAction: SCAN_PATHS.result(hostname) });
  const facts = (
    <li>
      Scanned{' '}
      <b>
        <Time at={finishedAt} />
      </b>
    </li>
  );
  const unjudged = (
    <NoScore view={view} at={finishedAt}>
      <LinkButton href="#site" label="Scan it again" />
    </NoScore>
  );
  const sidebar = <ResultSidebar {...props} query={query} />;
  return {
    title: `Free scan of ${hostname}`,
    ...visitorReport({ hostname, view, source: 'Result of a free scan', facts, sidebar, unjudged }),
  };
}

interface ResultSidebarProps extends ResultPageProps {
  /** Query string of the chosen platform; empty without one. */
  readonly query: string;
}

function ResultSidebar({ scan, deps, isSignedIn, query }: ResultSidebarProps) {
  const { hostname, origin } = scan;
  // A form accepts a port only with its scheme.
  const site = new URL(origin).port === '' ? hostname : origin;
  const next = `/sites/new?site=${encodeURIComponent(site)}`;
  const link = accountLink(deps, next);
  return (
    <>
      <SidebarPart title="Is this your site?">
        <p class="small soft">
          {isSignedIn ? 'Add' : `${link?.[1] ?? 'Sign in'}, add`} it and verify that you own it. We then test your
          firewall and check each fix within a minute.
        </p>
        {isSignedIn ? (
          <ActionButton action="/sites" icon="plus" fields={{ site }} label="Add to my sites" />
        ) : (
          <div class="row">
            {link !== null && <LinkButton href={link[0]} label={link[1]} />}
            <LinkButton kind="quiet" href={withNext('/sign-in', next)} label="Sign in" />
          </div>
        )}
      </SidebarPart>
      <MarkdownLink href={SCAN_PATHS.markdown(hostname) + query} />
      <SidebarPart title="Scan it again, or another">
        <ScanForm value={site} isLabelHidden isQuiet />
      </SidebarPart>
    </>
  );
}
