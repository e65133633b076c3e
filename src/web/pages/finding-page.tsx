import { InputError, ServiceError } from '../../platform/errors.js';
import { evidenceOfRun, recordEvidenceDownload } from '../../app/evidence/evidence.js';
import type { RunReport } from '../../app/runs/history.js';
import type { OwnSite, SiteOfAccount } from '../../app/sites/site.js';
import { acceptFailure, removeAcceptance } from '../../app/triage/accepted-failures.js';
import { startRecheck } from '../../app/triage/rechecks.js';
import { checkOf, failureOf, headlineOf } from '../../scanner/report/failures.js';
import { writeEvidence } from '../../scanner/trace/har.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import type { FailureKind, Finding } from '../../scanner/verdict/finding.js';
import { Remarks } from '../html/finding-row.js';
import { REASON_FIELD } from '../html/finding-view.js';
import { ActionButton, CopyLink } from '../html/sections.js';
import { Mark, toneOf, wordOf, Words } from '../html/text.js';
import { rowsOf } from '../html/report-view.js';
import { seeOther } from '../../platform/http/answer.js';
import type { AddRoutes, FieldErrors, Page, RouteDeps, WebContext } from '../server/page.js';
import { addPage, fieldOf, loadOwnRun, paramOf, requestedSite } from '../server/routes.js';
import { addressOf } from '../server/paths.js';
import { FindingMain, type FindingProps } from './finding-main.js';
import { sendDownload } from '../server/send-text.js';
import { loadOwnReport } from './run-report.js';
import { SiteHeader } from '../html/page-header.js';

const RUN = '/sites/:siteId/runs/:number';
const PATH = `${RUN}/checks/:checkId`;

/** The page of one finding of a run: the only page that quotes the site, for its verified owner. */
export const addFindingPage: AddRoutes = (router, deps) => {
  router.get(`${RUN}/evidence.har`, async (ctx) => {
    const { site, number } = await loadOwnRun(ctx);
    const { fromRun, fromRechecks } = await evidenceOfRun(deps.db, site, number);
    const evidence = [...fromRun.values(), ...fromRechecks.values()];
    if (evidence.length === 0) throw new ServiceError('not_found');
    // HEAD downloads nothing.
    if (ctx.method === 'GET') await recordEvidenceDownload(deps, site, number);
    sendDownload(ctx, {
      body: writeEvidence(evidence, deps.version),
      type: 'application/json',
      // Not every system allows a port's colon in the name of a file.
      name: `${site.hostname.replaceAll(/[^a-z0-9.-]/g, '-')}-run-${number}-evidence.har`,
    });
  });

  addPage(router, {
    path: PATH,
    load: (ctx) => loadFinding(ctx, deps),
    render: (ctx, found, errors) => findingPage(ctx, deps, found, errors),
    forms: [
      {
        path: PATH,
        async submit(ctx, { site, run, finding: { checkId } }) {
          const { number } = run.response.run;
          if (!run.isLatest) throw new InputError('There is a newer run. Check again on its page.');
          await startRecheck(deps, site, checkId);
          seeOther(ctx, addressOf.evidence(site.id, number, checkId));
        },
      },
      {
        path: `${PATH}/accept`,
        field: REASON_FIELD,
        act: (ctx, { finding }) =>
          acceptFailure(deps, { ...requestedFailure(ctx, finding), reason: fieldOf(ctx, REASON_FIELD) }),
        done: [
          'accepted',
          'The failure is accepted. On your pages it is under “Accepted”. Public reports still show it as a failure.',
        ],
      },
      {
        path: `${PATH}/accept/remove`,
        act: (ctx, { finding }) => removeAcceptance(deps, requestedFailure(ctx, finding)),
        done: ['not-accepted', 'The failure is no longer accepted.'],
      },
    ],
  });
};

/** @throws ServiceError not_found if the check did not fail */
function requestedFailure(ctx: WebContext, { checkId, errorType }: Finding): SiteOfAccount & FailureKind {
  if (errorType === null) throw new ServiceError('not_found');
  return { ...requestedSite(ctx), checkId, errorType };
}

interface RequestedFinding {
  readonly site: OwnSite;
  readonly run: RunReport;
  readonly finding: Finding;
}

/** @throws ServiceError run_not_found; not_found for a check that the run does not have */
async function loadFinding(ctx: WebContext, { history }: Pick<RouteDeps, 'history'>): Promise<RequestedFinding> {
  const { site, number } = await loadOwnRun(ctx);
  const run = await history.run(site, number);
  const finding = run.response.findings.find(({ checkId }) => checkId === paramOf(ctx, 'checkId'));
  if (!finding) throw new ServiceError('not_found');
  return { site, run, finding };
}

async function findingPage(
  ctx: WebContext,
  deps: RouteDeps,
  { site, run, finding }: RequestedFinding,
  errors: FieldErrors | null,
): Promise<Page> {
  const { contact, evidenceDays } = deps;
  const { number } = run.response.run;
  const { checkId } = finding;
  const own = await loadOwnReport(deps, site, run);
  const row = rowsOf(own.view).find((one) => one.checkId === checkId) ?? null;
  const path = addressOf.evidence(site.id, number, checkId);
  const detail = finding.detail ?? (finding.result === 'PASS' ? checkOf(checkId)?.answer : undefined);
  // The detail of a fixed finding describes its failure.
  const lead = row?.state === 'fixed' ? undefined : detail;
  const headline = row?.headline ?? headlineOf(finding);
  const reason = fieldOf(ctx, REASON_FIELD);
  const props: FindingProps = { own, finding, row, contact, evidenceDays, reason, errors };
  return {
    ...(own.pending !== null && { isLive: true, reloadAt: path }),
    // If the form is not shown, an error of the reason is shown at the top.
    error: row?.actions.accept ? undefined : errors?.[REASON_FIELD],
    title: `${headline}, run ${number}, ${run.response.site.hostname}`,
    header: (
      <SiteHeader
        site={site}
        at={run.isLatest ? addressOf.site(site.id) : addressOf.runs(site.id)}
        below={{ crumbs: [[addressOf.run(site.id, number), `Run ${number}`]], here: checkId }}
        tags={<Tags {...props} />}
        title={headline}
        lead={lead && <Words text={lead} />}
        actions={
          row && (
            <>
              {row.actions.agent !== null && <CopyLink href={row.actions.agent} label="For a developer or AI" />}
              {row.actions.checkAgain !== null && (
                <ActionButton
                  action={path}
                  kind={row.state === 'fixed' ? 'quiet' : 'solid'}
                  icon="again"
                  isInPlace
                  label="Check again"
                />
              )}
            </>
          )
        }
      />
    ),
    main: <FindingMain {...props} />,
  };
}

/** The result, its severity, how long it has lasted, and the points that a fix adds. */
function Tags({ own: { run }, finding, row }: FindingProps) {
  const { result, scored } = finding;
  const severity = failureOf(finding)?.severity;
  const isPast = !run.isLatest || row?.state === 'fixed';
  const { points = null, note = null } = row?.worth ?? {};
  return (
    <>
      <Mark result={result} scored={scored} isDecorative />
      <span class={`${scored ? toneOf(result) : 'is-n'} w6`}>
        {wordOf(result)}
        {isPast && ` in run ${run.response.run.number}`}
      </span>
      {severity !== undefined && <span class="chip">{SEVERITIES[severity].word}</span>}
      {row && <Remarks row={row} />}
      {row?.accepted && <span class="chip">Accepted</span>}
      {note !== null && !isPast && (
        <span class="soft small num">{points === null ? note : `${points} ${note} once fixed`}</span>
      )}
      {!scored && <span class="soft">Not scored</span>}
    </>
  );
}
