import type { JSX } from 'preact';
import { parseRun } from '../../app/runs/run.js';
import { describeBriefly } from '../../scanner/report/no-score.js';
import type { RunReport } from '../../app/runs/history.js';
import { FINDINGS_ID } from '../html/report.js';
import { SidebarPart } from '../html/sidebar.js';
import { PublishRun } from '../public/public-report.js';
import type { Page } from '../server/page.js';
import type { Part } from '../server/page-part.js';
import { loadOwnRun } from '../server/requested-site.js';
import { sendForAgents } from '../server/send-for-agents.js';
import { addressOf } from '../server/site-paths.js';
import { newsOf } from './changes.js';
import { PagesPart } from './site-pages.js';
import { offerFile } from './offer-file.js';
import { loadOwnReport, type OwnReport } from './own-report.js';
import { RunReportHead, RunReportMain } from './run-report.js';
import { SiteHeader } from './site-header.js';
import type { RunBudget } from './unjudged-run.js';

/** Any run of a site, as a page and as files. */
export const addRunPage: Part = (router, deps) => {
  const { history, clock, sendPage } = deps;
  // Before the page's path, which also matches these.
  router.get('/sites/:siteId/runs/:number.json', async (ctx) => {
    const { site, number } = await loadOwnRun(ctx, deps);
    const body = Buffer.from(await history.stored(site, number));
    offerFile(ctx, { body, type: 'application/json; charset=utf-8', of: parseRun(body), ending: '.json' });
  });

  router.get('/sites/:siteId/runs/:number/agent', async (ctx) => {
    const { site, number } = await loadOwnRun(ctx, deps);
    const { response, origin, gains } = await history.run(site, number);
    sendForAgents(ctx, { origin, findings: response.findings, gains });
  });

  router.get('/sites/:siteId/runs/:number', async (ctx) => {
    const { site, number } = await loadOwnRun(ctx, deps);
    const run = await history.run(site, number);
    const own = await loadOwnReport(deps, site, run);
    // What to do then ends with another run.
    const canRun = run.nextNumber === null && site.verifiedAt !== null && own.view.isUnjudged;
    sendPage(ctx, runPage(own, clock.now(), canRun ? await history.manualBudget(site) : undefined));
  });
};

function runPage(own: OwnReport, now: Date, budget?: RunBudget): Page {
  const { site, run, pending } = own;
  const { number } = run.response.run;
  return {
    ...(pending !== null && { isLive: true, reloadAt: addressOf.run(site.id, number) }),
    title: `Run ${number}, ${run.response.site.hostname}`,
    skip: [`#${FINDINGS_ID}`, 'Skip to the findings'],
    header: <RunHead own={own} now={now} />,
    main: (
      <RunReportMain
        own={own}
        budget={budget}
        now={now}
        aside={
          <>
            <PagesPart pages={run.pages} />
            {site.verifiedAt !== null && (
              <SidebarPart title="Share">
                <PublishRun siteId={site.id} number={number} />
              </SidebarPart>
            )}
            {run.release !== null && <p class="small soft">Judged by version {run.release}.</p>}
          </>
        }
      />
    ),
  };
}

function RunHead({ own, now }: { readonly own: OwnReport; readonly now: Date }): JSX.Element {
  const { site, run } = own;
  const { number } = run.response.run;
  return (
    <SiteHeader
      site={run.response.site}
      title={describeRun(run)}
      lead={run.nextNumber === null ? undefined : <OlderRun siteId={site.id} run={run} />}
      at={addressOf.runs(site.id)}
      below={{ crumbs: [[addressOf.runs(site.id), 'Runs']], here: `Run ${number}` }}
      actions={<OtherRuns siteId={site.id} run={run} />}
    >
      <RunReportHead own={own} now={now} isOwnPage />
    </SiteHeader>
  );
}

/** `Run 8: 1 fixed, 2 now judged`. */
function describeRun({ response: { run }, gap, changes }: RunReport): string {
  const name = `Run ${run.number}`;
  if (run.score === null) return `${name}: ${gap ? describeBriefly(gap) : 'nothing judged'}`;
  if (changes === null) return `${name}: the first${run.number === 1 ? '' : ' with a score'}`;
  return `${name}: ${newsOf(changes.comparison).join(', ') || 'nothing new, nothing fixed'}`;
}

interface OtherRunsProps {
  readonly siteId: string;
  readonly run: RunReport;
}

function OlderRun({ siteId, run: { latestNumber } }: OtherRunsProps): JSX.Element {
  return (
    <>
      An older run. <a href={addressOf.run(siteId, latestNumber)}>See run {latestNumber}, the latest</a>.
    </>
  );
}

function OtherRuns({ siteId, run }: OtherRunsProps): JSX.Element | null {
  const { previousNumber, nextNumber, latestNumber } = run;
  if (latestNumber === 1) return null;
  return (
    <nav aria-label="Other runs" class="row">
      {previousNumber !== null && (
        <a class="btn quiet" href={addressOf.run(siteId, previousNumber)} rel="prev">
          <span aria-hidden="true">←</span>
          Run {previousNumber}
        </a>
      )}
      {nextNumber !== null && (
        <a class="btn quiet" href={addressOf.run(siteId, nextNumber)} rel="next">
          Run {nextNumber}
          <span aria-hidden="true">→</span>
        </a>
      )}
    </nav>
  );
}
