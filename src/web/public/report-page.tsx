import type { ComponentChildren } from 'preact';
import type { FoundReport } from '../../app/publications/publications.js';
import { headlineOfAnswer } from '../../scanner/report/answer.js';
import { commonCause } from '../../scanner/report/no-score.js';
import { CopyLink, Fold } from '../html/fold.js';
import { formatMoment } from '../html/format.js';
import { Mark } from '../html/icons.js';
import { NoScore } from '../html/no-score.js';
import { HostName, isLongName, PageHeader } from '../html/page-header.js';
import { Empty, Legend } from '../html/pins.js';
import { FINDINGS_ID, ReportBody, ReportHead } from '../html/report.js';
import { type ReportView, reportView } from '../html/report-view.js';
import { ScanForm } from '../html/scan-form.js';
import { SidebarPart, WithSidebar } from '../html/sidebar.js';
import type { Page } from '../server/page.js';
import { SCAN_PATHS } from '../server/paths.js';
import { PUBLIC_PAGES } from '../server/public-pages.js';
import { addressOf } from './publications-addresses.js';

interface ShownReport {
  readonly hostname: string;
  readonly view: ReportView;
  /** Whose report it is: a line above the name of the site. */
  readonly over: ComponentChildren;
  /** When and how the site was scanned, as items of a list. */
  readonly facts: ComponentChildren;
  readonly rail: ComponentChildren;
  /** Shown instead of the findings if nothing could be judged. */
  readonly unjudged: ComponentChildren;
  readonly now: Date;
}

/** A report for visitors: a free result, a public report or the sample. */
export function visitorReport({ hostname, view, over, facts, rail, unjudged, now }: ShownReport) {
  return {
    skip: [`#${FINDINGS_ID}`, 'Skip to the findings'] as const,
    header: (
      <PageHeader tags={over} title={<HostName name={hostname} />} isLong={isLongName(hostname)}>
        <ReportHead view={view} facts={facts} />
      </PageHeader>
    ),
    main: (
      <WithSidebar
        rail={
          <>
            {rail}
            <Fold title="How to read the pins">
              <Legend />
            </Fold>
          </>
        }
      >
        <ReportBody view={view} now={now} unjudged={unjudged} />
      </WithSidebar>
    ),
  };
}

/** Asks a reader for a site of their own. */
export const SCAN_ANOTHER = (
  <SidebarPart title="Is your site ready?">
    <ScanForm action={SCAN_PATHS.form} isNamed hint="Free, without an account." />
  </SidebarPart>
);

const WHAT = 'How ready the site is for AI agents, published by its owner.';

/** A public report. */
export function reportPage({ hostname, report }: FoundReport, token: string, now: Date): Page {
  const finished = report && `, run of ${formatMoment(report.finishedAt, now.toISOString())} UTC`;
  const over = (
    <>
      <Mark result="PASS" isDecorative />
      <span>Published by its verified owner{finished}</span>
    </>
  );
  if (report === null) {
    return {
      title: hostname,
      sharedDescription: WHAT,
      header: <PageHeader tags={over} title={<HostName name={hostname} />} isLong={isLongName(hostname)} />,
      main: (
        <WithSidebar rail={SCAN_ANOTHER}>
          <Empty>
            <h2>No run yet</h2>
            <p>The report appears here after the first run.</p>
          </Empty>
        </WithSidebar>
      ),
    };
  }
  const view = reportView({ ...report, notes: [], movedTo: null }, { agentHref: null });
  return {
    title: `${hostname}: ${describeReport(view)}`,
    sharedDescription: `${WHAT} ${view.passed} checks that apply pass.`,
    ...visitorReport({
      hostname,
      view,
      over,
      now,
      facts: (
        <li>
          <a href={PUBLIC_PAGES.checks.path}>What is checked, and how the score is made</a>
        </li>
      ),
      rail: (
        <>
          {SCAN_ANOTHER}
          <MarkdownLink href={addressOf.markdown(token)} />
        </>
      ),
      unjudged: <NoScore view={view} past={commonCause(report.findings) ?? 'No check could be judged.'} />,
    }),
  };
}

export function MarkdownLink({ href }: { readonly href: string }) {
  return (
    <SidebarPart title="Copy it">
      <p class="row">
        <CopyLink href={href} label="As Markdown" />
      </p>
    </SidebarPart>
  );
}

/** `ChatGPT can't read this site, 64 of 100, 3 things to fix` */
function describeReport({ scan: { answer, score }, toDo }: ReportView): string {
  const words = score === null ? 'no score' : `${score} of 100, ${toDo.join('').toLowerCase()}`;
  return answer === null ? words : `${headlineOfAnswer(answer)}, ${words}`;
}
