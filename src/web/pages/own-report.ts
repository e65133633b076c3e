import { type EvidenceOfRun, evidenceOfRun } from '../../app/evidence/evidence.js';
import type { RunReport } from '../../app/runs/history.js';
import { SINCE_RUNS_MAX } from '../../app/runs/run-lines.js';
import type { OwnSite } from '../../app/sites/site.js';
import type { ShownEvidence } from '../../scanner/trace/kept-evidence.js';
import type { EvidenceSize } from '../html/finding-view.js';
import { type ReportView, reportView } from '../html/report-view.js';
import type { PartDeps } from '../server/page-part.js';
import { addressOf } from '../server/site-paths.js';
import { fixOn } from './platform-fix.js';

/** A run with everything that its owner sees of it. */
export interface OwnReport {
  readonly site: OwnSite;
  readonly run: RunReport;
  readonly view: ReportView;
  readonly evidence: EvidenceOfRun;
  /** Id of a check that is being repeated. */
  readonly pending: string | null;
}

type ReportDeps = Pick<PartDeps, 'db' | 'rechecks' | 'acceptedFailures'>;

export async function loadOwnReport(
  { db, rechecks, acceptedFailures }: ReportDeps,
  site: OwnSite,
  run: RunReport,
): Promise<OwnReport> {
  const { response, changes, notes, movedTo, gains, answer, origin } = run;
  const { number, score } = response.run;
  const { platform } = site;
  const isLatest = run.nextNumber === null;
  const isOpen = isLatest && site.verifiedAt !== null;
  const [repeated, accepted] = isOpen
    ? await Promise.all([rechecks.list(site), acceptedFailures.list(site)])
    : ([[], []] as const);
  const evidence = await evidenceOfRun(db, site, number);
  const view = reportView(
    { origin, score, findings: response.findings, gains, notes, movedTo, answer },
    {
      agentHref: addressOf.runForAgents(site.id, number),
      owner: {
        ...{ siteId: site.id, number, isLatest, isOpen, rechecks: repeated, accepted },
        ...{ since: run.since, sinceMax: SINCE_RUNS_MAX, comparison: changes?.comparison ?? null },
        evidence: evidenceSizes(evidence),
        fixOn: platform && ((fix, finding) => fixOn(platform, fix, finding)),
      },
    },
  );
  return {
    site,
    run,
    view,
    evidence,
    pending: repeated.find(({ finishedAt }) => finishedAt === null)?.checkId ?? null,
  };
}

function evidenceSizes({ ofRun, ofRechecks }: EvidenceOfRun): ReadonlyMap<string, EvidenceSize> {
  return new Map([...ofRechecks, ...ofRun].map(([checkId, shown]) => [checkId, sizeOf(shown)]));
}

function sizeOf({ exchanges, omittedCount }: ShownEvidence): EvidenceSize {
  const [line = null] = exchanges.flatMap(({ excerpt }) => excerpt?.marked ?? []);
  return { requests: exchanges.length + omittedCount, line };
}
