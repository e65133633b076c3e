import type { JSX } from 'preact';
import { parseRun } from '../../runs/run.js';
import type { RunReport } from '../../runs/history.js';
import type { RunProof } from '../../runs/run-chain.js';
import { REFRESH } from '../../../web/kit/components/progress.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part } from '../../part.js';
import { sendForAgents } from '../../../web/kit/send-for-agents.js';
import { PublishRun } from '../../sharing/pages/public-report.js';
import { readAnnotations } from './annotations.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownRun } from '../../sites/pages/asked-site.js';
import { CompareForm } from './compare-form.js';
import { formatRunAsCsv } from './csv.js';
import { offerFile } from './offer-file.js';
import { ReportFindings, type ReportProps, Verdict } from './report.js';

/** A run as it was, to read, print and take away. */
export const addRunPage: Part = (router, deps) => {
  const { history, clock, sendPage } = deps;
  // Before the page's address, which matches these too.
  router.get('/sites/:siteId/runs/:number.json', async (ctx) => {
    const { site, number } = await ownRun(ctx, deps);
    const body = Buffer.from(await history.stored(site, number));
    offerFile(ctx, { body, type: 'application/json; charset=utf-8', of: parseRun(body), ending: '.json' });
  });

  router.get('/sites/:siteId/runs/:number.csv', async (ctx) => {
    const { site, number } = await ownRun(ctx, deps);
    const response = parseRun(await history.stored(site, number));
    const type = 'text/csv; charset=utf-8; header=present';
    offerFile(ctx, { body: formatRunAsCsv(response), type, of: response, ending: '.csv' });
  });

  router.get('/sites/:siteId/runs/:number/agent', async (ctx) => {
    const { site, number } = await ownRun(ctx, deps);
    const { response, origin, gains } = await history.run(site, number);
    sendForAgents(ctx, { origin, findings: response.findings, gains });
  });

  router.get('/sites/:siteId/runs/:number', async (ctx) => {
    const { site, number } = await ownRun(ctx, deps);
    const report = await history.run(site, number);
    const proof = await history.proof(site, number);
    const isOpen = report.nextNumber === null && site.verifiedAt !== null;
    const annotations = isOpen ? await readAnnotations(deps, site, report.response.findings) : null;
    const evidence = await deps.evidence.ofRun(site, number);
    sendPage(ctx, {
      ...(annotations?.isPending && { head: REFRESH }),
      title: `Run ${number}, ${report.response.site.hostname}`,
      main: (
        <RunMain
          siteId={site.id}
          isVerified={site.verifiedAt !== null}
          report={report}
          annotations={annotations}
          evidence={evidence}
          proof={proof}
          now={clock.now()}
        />
      ),
    });
  });
};

function RunMain({
  proof,
  isVerified,
  ...props
}: ReportProps & { readonly proof: RunProof; readonly isVerified: boolean }): JSX.Element {
  const { siteId, report } = props;
  const { site, run } = report.response;
  return (
    <>
      <Heading lead={<a href={addressOf.site(siteId)}>{site.hostname}</a>}>Run {run.number}</Heading>
      <Neighbours siteId={siteId} report={report} />
      <Verdict {...props} isOwnPage />
      <div class="row">
        <a href={`${addressOf.run(siteId, run.number)}.json`}>Download as JSON</a>
        <a href={`${addressOf.run(siteId, run.number)}.csv`}>Download as CSV</a>
        {props.evidence.ofRun.size > 0 && (
          <a href={addressOf.evidenceFile(siteId, run.number)}>Download the evidence as WARC</a>
        )}
        {isVerified && <PublishRun siteId={siteId} number={run.number} />}
      </div>
      <CompareForm
        siteId={siteId}
        from={String(report.previousNumber ?? report.latestNumber)}
        to={run.number}
        latestNumber={report.latestNumber}
      />
      <ReportFindings {...props} />
      {report.release !== null && (
        <p>
          <small>
            Judged by release <code>{report.release}</code> of this service.
          </small>
        </p>
      )}
      <Proof proof={proof} />
    </>
  );
}

function Proof({ proof: { run, supplement } }: { readonly proof: RunProof }): JSX.Element | null {
  if (run.state === 'broken' || supplement.state === 'broken') {
    return (
      <p role="note">
        <strong>This run may have been changed since it was stored:</strong>{' '}
        {run.state === 'broken'
          ? 'it does not match its digest'
          : 'its notes, its gains or its release do not match their digest'}
        . The operator of the service has been told.
      </p>
    );
  }
  if (run.state !== 'proven') return null;
  return (
    <p>
      <small>
        Digest of this run and all runs before it: <code>{run.digest}</code>. Write it down, and it proves later that
        none of them was changed.
        {supplement.state === 'proven' && (
          <>
            {' '}
            Of its notes, its gains and its release: <code>{supplement.digest}</code>.
          </>
        )}
        {supplement.state === 'uncovered' &&
          ' It does not cover the notes and gains of this run, which is older than their digest.'}
      </small>
    </p>
  );
}

function Neighbours({ siteId, report }: { readonly siteId: string; readonly report: RunReport }): JSX.Element | null {
  const { previousNumber, nextNumber, latestNumber } = report;
  if (latestNumber === 1) return null;
  return (
    <nav aria-label="Other runs" class="row">
      {previousNumber !== null && <a href={addressOf.run(siteId, previousNumber)}>Run {previousNumber}, before</a>}
      {nextNumber !== null && <a href={addressOf.run(siteId, nextNumber)}>Run {nextNumber}, after</a>}
      {nextNumber !== null && nextNumber !== latestNumber && (
        <a href={addressOf.run(siteId, latestNumber)}>Run {latestNumber}, the latest</a>
      )}
      <a href={addressOf.runs(siteId)}>All runs</a>
    </nav>
  );
}
