import type { RunReport } from '../../app/runs/history.js';
import { describeHomePageFailure } from '../../scanner/report/no-score.js';
import { Pager, SidebarPart } from '../html/sections.js';
import { PublishRun } from '../public/publications.js';
import type { AddRoutes } from '../server/page.js';
import { loadOwnRun, sendPage } from '../server/routes.js';
import { sendForAgents } from '../server/send-text.js';
import { addressOf } from '../server/paths.js';
import { describeChanges } from './compare.js';
import { loadOwnReport, reportPage } from './run-report.js';

export const addRunPage: AddRoutes = (router, deps) => {
  const { history } = deps;
  router.get('/sites/:siteId/runs/:number/agent', async (ctx) => {
    const { site, number } = await loadOwnRun(ctx);
    const { response, gains } = await history.run(site, number);
    sendForAgents(ctx, { origin: site.origin, findings: response.findings, gains }, site.platform);
  });

  router.get('/sites/:siteId/runs/:number', async (ctx) => {
    const { site, number } = await loadOwnRun(ctx);
    const run = await history.run(site, number);
    const own = await loadOwnReport(deps, site, run);
    // Without a verdict, the page suggests another run.
    const canRun = run.isLatest && site.verifiedAt !== null && own.view.unjudgedReason !== null;
    sendPage(ctx, {
      ...(own.pending !== null && { isLive: true, reloadAt: addressOf.run(site.id, number) }),
      title: `Run ${number}, ${site.hostname}`,
      ...reportPage(own, {
        header: {
          site: run.response.site,
          title: describeRun(run),
          lead: run.isLatest ? undefined : (
            <>
              An older run.{' '}
              <a href={addressOf.run(site.id, site.latestNumber)}>See run {site.latestNumber}, the latest</a>.
            </>
          ),
          at: addressOf.runs(site.id),
          below: { crumbs: [[addressOf.runs(site.id), 'Runs']], here: `Run ${number}` },
          actions: (number > 1 || !run.isLatest) && (
            <Pager
              label="Other runs"
              links={[
                number > 1 && [addressOf.run(site.id, number - 1), `Run ${number - 1}`],
                !run.isLatest && [addressOf.run(site.id, number + 1), `Run ${number + 1}`],
              ]}
            />
          ),
        },
        budget: canRun ? await history.manualBudget(site) : null,
        aside: (
          <>
            {site.verifiedAt !== null && run.response.run.score !== null && (
              <SidebarPart title="Share">
                <PublishRun siteId={site.id} number={number} />
              </SidebarPart>
            )}
            {run.release !== null && <p class="small soft">Judged by version {run.release}.</p>}
          </>
        ),
      }),
    });
  });
};

/** `Run 8: 1 fixed, 2 newly checked`. */
function describeRun({ response: { run }, gap, changes }: RunReport): string {
  const name = `Run ${run.number}`;
  if (run.score === null) return `${name}: ${gap ? describeHomePageFailure(gap) : 'nothing judged'}`;
  if (changes === null) return `${name}: the first${run.number === 1 ? '' : ' with a score'}`;
  return `${name}: ${describeChanges(changes.comparison).join(', ') || 'nothing new, nothing fixed'}`;
}
