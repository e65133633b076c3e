import type { JSX } from 'preact';
import { ServiceError } from '../../../platform/errors.js';
import { headlineOf } from '../../../scanner/report/failures.js';
import type { Finding } from '../../../scanner/verdict/finding.js';
import type { ShownEvidence } from '../../../scanner/trace/kept-evidence.js';
import { writeEvidence } from '../../../scanner/trace/write-evidence.js';
import { ResultMark } from '../../../web/kit/components/result.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { paramOf, type RouteContext } from '../../../web/kit/context.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part, PartDeps } from '../../part.js';
import type { RunReport } from '../../runs/history.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownRun } from '../../sites/pages/asked-site.js';
import type { OwnSite } from '../../sites/own-site.js';
import { offerFile } from './offer-file.js';
import { Exchanges } from '../../evidence/pages/exchanges.js';

const PATH = '/sites/:siteId/runs/:number/evidence';

/** The evidence behind a finding, in the site's own words: for the verified owner alone, who may take it along. */
export const addEvidencePage: Part = (router, deps) => {
  const { contact, sendPage } = deps;

  router.get(`${PATH}.warc.gz`, async (ctx) => {
    const { site, number } = await ownRun(ctx, deps);
    const { ofRun } = await deps.evidence.ofRun(site, number);
    const report = await deps.history.run(site, number);
    await sendWarc(ctx, deps, { site, report, findings: [...ofRun.values()] });
  });

  router.get(`${PATH}/:checkId.warc.gz`, async (ctx) => {
    const { site, report, shown, again } = await findEvidence(ctx, deps);
    await sendWarc(ctx, deps, { site, report, findings: [shown, again].filter((one) => one !== null) });
  });

  router.get(`${PATH}/:checkId`, async (ctx) => {
    const found = await findEvidence(ctx, deps);
    const { finding, report } = found;
    const { site, run } = report.response;
    sendPage(ctx, {
      title: `Evidence for ${finding.checkId}, run ${run.number}, ${site.hostname}`,
      main: <EvidenceMain {...found} contact={contact} />,
    });
  });
};

interface Found {
  readonly site: OwnSite;
  readonly report: RunReport;
  readonly finding: Finding;
  /** Null where only the check that was made again has left any. */
  readonly shown: ShownEvidence | null;
  /** Of the last time that the check was made again. */
  readonly again: ShownEvidence | null;
}

/** @throws ServiceError not_found where nothing is kept for this finding, or not any more */
async function findEvidence(ctx: RouteContext, deps: Pick<PartDeps, 'sites' | 'evidence' | 'history'>): Promise<Found> {
  const { site, number } = await ownRun(ctx, deps);
  const report = await deps.history.run(site, number);
  const { ofRun, ofRechecks } = await deps.evidence.ofRun(site, number);
  const checkId = paramOf(ctx, 'checkId');
  const finding = report.response.findings.find((other) => other.checkId === checkId);
  const [shown, again] = [ofRun.get(checkId) ?? null, ofRechecks.get(checkId) ?? null];
  if (!finding || (!shown && !again)) throw new ServiceError('not_found');
  return { site, report, finding, shown, again };
}

interface WarcOf {
  readonly site: OwnSite;
  readonly report: RunReport;
  readonly findings: readonly ShownEvidence[];
}

/** Nothing leaves that the account's activity does not tell of. @throws ServiceError not_found where there is nothing to send */
async function sendWarc(
  ctx: RouteContext,
  { version, evidence, clock }: Pick<PartDeps, 'version' | 'evidence' | 'clock'>,
  { site, report, findings }: WarcOf,
): Promise<void> {
  if (findings.length === 0) throw new ServiceError('not_found');
  const { response } = report;
  // HEAD takes nothing along.
  if (ctx.method === 'GET') await evidence.recordDownload(site, response.run.number, clock.now());
  const body = Buffer.concat([...writeEvidence(findings, { version, startedAt: new Date(response.run.startedAt) })]);
  offerFile(ctx, { body, type: 'application/warc', of: response, ending: '-evidence.warc.gz' });
}

function EvidenceMain({ contact, ...found }: Found & { readonly contact: string | null }): JSX.Element {
  const { report, finding, shown, again } = found;
  const { site, run } = report.response;
  const { checkId, result, detail } = finding;
  return (
    <>
      <Heading lead={<a href={addressOf.run(site.id, run.number)}>{`Run ${run.number} of ${site.hostname}`}</a>}>
        Evidence for {checkId}
      </Heading>
      <p>
        <ResultMark result={result} /> <strong>{headlineOf(finding)}</strong>
      </p>
      {detail !== null && <p>{detail}</p>}
      <p class="soft">
        The requests behind this finding, for you as the verified owner alone. Addresses are shown without their
        queries, header fields are those of a fixed list, and cookies are never kept.
      </p>
      {shown && <Exchanges shown={shown} />}
      {again && (
        <section aria-labelledby="again">
          <h2 id="again">When it was checked again</h2>
          <Exchanges shown={again} />
        </section>
      )}
      <Report {...{ report, finding, contact }} />
    </>
  );
}

/** All that it takes to tell the operator that a verdict is wrong. */
function Report({
  report,
  finding,
  contact,
}: Pick<Found, 'report' | 'finding'> & { readonly contact: string | null }): JSX.Element {
  const { site, run } = report.response;
  const file = `${addressOf.evidence(site.id, run.number, finding.checkId)}.warc.gz`;
  return (
    <section aria-labelledby="report">
      <h2 id="report">Report a wrong verdict</h2>
      <ol>
        <li>
          <a href={file}>Download the evidence as a WARC file</a>. It holds what stands on this page and nothing else:
          for each request to your site its address without the query, the status, the header fields and the excerpt.
        </li>
        <li>
          Complete this text, and say which page or standard shows that the verdict is wrong:
          <Snippet text={wordsFor(report, finding)} label="text of your report" />
        </li>
        <li>
          {contact === null ? (
            'Send both to the operator of this service, who has published no address.'
          ) : (
            <>
              Send both to <a href={contact}>{contact.replace(/^mailto:/, '')}</a>.
            </>
          )}
        </li>
      </ol>
    </section>
  );
}

/** Names the owner's host, and is otherwise of our own words. */
function wordsFor({ response: { site, run } }: RunReport, finding: Finding): string {
  const { checkId, result, errorType, detail } = finding;
  return [
    `${checkId} is wrong about ${site.hostname} (run ${run.number}, ${run.reference}, ${run.startedAt}).`,
    `It says: ${[result, errorType].filter((part) => part !== null).join(' ')}. ${detail ?? headlineOf(finding)}`,
    'I think that this is wrong, because: …',
    'The evidence is attached as a WARC file.',
  ].join('\n\n');
}
