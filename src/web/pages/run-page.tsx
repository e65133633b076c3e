import { parseRun } from '../../app/runs/run.js';
import type { LaterRuns } from '../../app/runs/history.js';
import { FINDINGS_ID } from '../html/findings.js';
import type { Page } from '../server/page.js';
import type { Part } from '../server/page-part.js';
import { sendForAgents } from '../server/send-for-agents.js';
import { PublishRun } from '../public/public-report.js';
import { evidenceOfRun } from '../../app/evidence/evidence.js';
import { readAnnotations } from './annotations.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnRun } from '../server/requested-site.js';
import { CSV_TYPE, formatRunAsCsv } from './csv.js';
import { offerFile } from './offer-file.js';
import { PagesPart } from './chosen-pages.js';
import { SiteMast } from './site-mast.js';
import type { RunBudget } from './rail.js';
import { describeOutcome, RunNavigation, OlderRun } from './run-head.js';
import { ReportHead, type ReportProps } from './report.js';
import { isWithoutVerdict, RunView } from './run-view.js';
import { RailPart } from '../html/two.js';

/** A run as it was, to read, print and take away. */
export const addRunPage: Part = (router, deps) => {
  const { history, clock, sendPage } = deps;
  // Before the page's address, which matches these too.
  router.get('/sites/:siteId/runs/:number.json', async (ctx) => {
    const { site, number } = await loadOwnRun(ctx, deps);
    const body = Buffer.from(await history.stored(site, number));
    offerFile(ctx, { body, type: 'application/json; charset=utf-8', of: parseRun(body), ending: '.json' });
  });

  router.get('/sites/:siteId/runs/:number.csv', async (ctx) => {
    const { site, number } = await loadOwnRun(ctx, deps);
    const response = parseRun(await history.stored(site, number));
    offerFile(ctx, { body: formatRunAsCsv(response), type: CSV_TYPE, of: response, ending: '.csv' });
  });

  router.get('/sites/:siteId/runs/:number/agent', async (ctx) => {
    const { site, number } = await loadOwnRun(ctx, deps);
    const { response, origin, gains } = await history.run(site, number);
    sendForAgents(ctx, { origin, findings: response.findings, gains });
  });

  router.get('/sites/:siteId/runs/:number', async (ctx) => {
    const { site, number } = await loadOwnRun(ctx, deps);
    const report = await history.run(site, number);
    const later = await history.later(site, report);
    const isOpen = report.nextNumber === null && site.verifiedAt !== null;
    const annotations = isOpen ? await readAnnotations(deps, site, report.response.findings) : null;
    const evidence = await evidenceOfRun(deps.db, site, number);
    // What is to be done there ends with another run.
    const budget = isOpen && isWithoutVerdict(report) ? await history.manualBudget(site) : undefined;
    sendPage(ctx, {
      ...(annotations?.pending && { isLive: true, reloadAt: addressOf.run(site.id, number) }),
      title: `Run ${number}, ${report.response.site.hostname}`,
      styles: ['charts.css'],
      skip: [`#${FINDINGS_ID}`, 'Skip to the findings'],
      ...runFrame({
        siteId: site.id,
        isVerified: site.verifiedAt !== null,
        report,
        annotations,
        evidence,
        later,
        ...(budget && { budget }),
        now: clock.now(),
      }),
    });
  });
};

interface RunFrameProps extends ReportProps {
  readonly isVerified: boolean;
  readonly later: LaterRuns | null;
  readonly budget?: RunBudget;
}

function runFrame({ isVerified, ...props }: RunFrameProps): Pick<Page, 'mast' | 'main'> {
  const { siteId, report, later } = props;
  const { site, run } = report.response;
  const comparedWith = report.changes?.from.number;
  return {
    mast: (
      <SiteMast
        site={site}
        title={describeOutcome(report)}
        lead={later === null ? undefined : <OlderRun {...{ siteId, report }} fixedCount={later.fixedIn.size} />}
        at={addressOf.runs(siteId)}
        below={{ crumbs: [[addressOf.runs(siteId), 'Runs']], here: `Run ${run.number}` }}
        actions={
          <>
            {comparedWith !== undefined && (
              <a class="btn quiet" href={addressOf.comparison(siteId, comparedWith, run.number)}>
                Compare with run {comparedWith}
              </a>
            )}
            <RunNavigation siteId={siteId} report={report} />
          </>
        }
      >
        <ReportHead {...props} isOwnPage />
      </SiteMast>
    ),
    main: (
      <RunView
        {...props}
        aside={
          <>
            <PagesPart pages={report.pages} />
            {isVerified && (
              <RailPart title="Share">
                <PublishRun siteId={siteId} number={run.number} />
              </RailPart>
            )}
            {report.release !== null && <p class="small soft">Judged by version {report.release}.</p>}
          </>
        }
      />
    ),
  };
}
