import { ServiceError } from '../../platform/errors.js';
import { InputError } from '../../platform/input-error.js';
import { headlineOf } from '../../scanner/report/failures.js';
import type { ShownEvidence } from '../../scanner/trace/kept-evidence.js';
import { writeEvidence } from '../../scanner/trace/har.js';
import { paramOf, type RouteContext, seeOther } from '../server/context.js';
import { addForm, type FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import type { RunReport } from '../../app/runs/history.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnRun } from '../server/requested-site.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { readAnnotations } from './annotations.js';
import { evidenceOfRun, recordEvidenceDownload } from '../../app/evidence/evidence.js';
import { FindingHead } from './finding-head.js';
import { FindingMain } from './finding-main.js';
import type { FindingProps, Found } from './finding-props.js';
import { offerFile } from './offer-file.js';

const PATH = '/sites/:siteId/runs/:number/evidence';

/** One finding of a run in one page. The site's own words stand here alone: for the verified owner, who may take them along. */
export const addFindingPage: Part = (router, deps) => {
  // Before the page's address, which matches these too.
  router.get(`${PATH}.har`, async (ctx) => {
    const { site, number } = await loadOwnRun(ctx, deps);
    const { ofRun } = await evidenceOfRun(deps.db, site, number);
    const report = await deps.history.run(site, number);
    await sendHar(ctx, deps, { site, report, findings: [...ofRun.values()] });
  });

  router.get(`${PATH}/:checkId.har`, async (ctx) => {
    const { site, report, shown, again } = await findFinding(ctx, deps);
    await sendHar(ctx, deps, { site, report, findings: [shown, again].filter((one) => one !== null) });
  });

  addForm(router, deps.sendPage, {
    path: `${PATH}/:checkId`,
    load: (ctx) => findFinding(ctx, deps),
    async submit(ctx, { site, report, finding: { checkId } }) {
      const { number } = report.response.run;
      if (number !== report.latestNumber) {
        throw new InputError('There is a newer run. Check again where that one is shown.');
      }
      await deps.rechecks.start(site, checkId);
      seeOther(ctx, addressOf.evidence(site.id, number, checkId));
    },
    render: (_ctx, found, errors) => findingPage(found, deps, errors),
  });
};

/** @throws ServiceError run_not_found; not_found for a check that the run does not have */
async function findFinding(ctx: RouteContext, deps: Pick<PartDeps, 'sites' | 'db' | 'history'>): Promise<Found> {
  const { site, number } = await loadOwnRun(ctx, deps);
  const report = await deps.history.run(site, number);
  const { ofRun, ofRechecks } = await evidenceOfRun(deps.db, site, number);
  const checkId = paramOf(ctx, 'checkId');
  const finding = report.response.findings.find((other) => other.checkId === checkId);
  if (!finding) throw new ServiceError('not_found');
  return { site, report, finding, shown: ofRun.get(checkId) ?? null, again: ofRechecks.get(checkId) ?? null };
}

async function findingPage(found: Found, deps: PartDeps, errors: FieldErrors | null): Promise<Page> {
  const { site, report, finding } = found;
  const { number } = report.response.run;
  const { contact, evidenceDays, clock } = deps;
  const isOpen = report.nextNumber === null && site.verifiedAt !== null;
  const annotations = isOpen ? await readAnnotations(deps, site, report.response.findings) : null;
  const props: FindingProps = { ...found, annotations, contact, evidenceDays, errors, now: clock.now() };
  return {
    ...(annotations?.pending && { isLive: true, reloadAt: addressOf.evidence(site.id, number, finding.checkId) }),
    title: `${headlineOf(finding)}, run ${number}, ${report.response.site.hostname}`,
    mast: <FindingHead {...props} />,
    main: <FindingMain {...props} />,
  };
}

interface HarOf {
  readonly site: OwnSite;
  readonly report: RunReport;
  readonly findings: readonly ShownEvidence[];
}

/** Nothing leaves that the account's activity does not tell of. @throws ServiceError not_found where there is nothing to send */
async function sendHar(
  ctx: RouteContext,
  deps: Pick<PartDeps, 'version' | 'db' | 'clock'>,
  { site, report, findings }: HarOf,
): Promise<void> {
  if (findings.length === 0) throw new ServiceError('not_found');
  const { response } = report;
  // HEAD takes nothing along.
  if (ctx.method === 'GET') await recordEvidenceDownload(deps, site, response.run.number);
  const body = writeEvidence(findings, { version: deps.version, startedAt: new Date(response.run.startedAt) });
  offerFile(ctx, { body, type: 'application/json', of: response, ending: '-evidence.har' });
}
