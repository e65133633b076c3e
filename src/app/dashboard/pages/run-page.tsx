import type { JSX } from 'preact';
import { parseRun } from '../../runs/run.js';
import type { RunReport } from '../../runs/history.js';
import type { RunProof } from '../../runs/run-chain.js';
import { REFRESH } from '../../../web/kit/components/progress.js';
import { FINDINGS_ID } from '../../../web/kit/components/findings.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part } from '../../part.js';
import { sendForAgents } from '../../../web/kit/send-for-agents.js';
import { PublishRun } from '../../sharing/pages/public-report.js';
import { readAnnotations } from './annotations.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownRun } from '../../sites/pages/asked-site.js';
import { CompareForm } from './compare-form.js';
import { formatRunAsCsv } from './csv.js';
import { offerFile } from './offer-file.js';
import { SiteMast } from '../../sites/pages/site-mast.js';
import { ApiPart, LastRunsPart, ScorePart } from './rail.js';
import { ReportHead, type ReportProps } from './report.js';
import { RunMain } from './site-main.js';

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
      skip: [`#${FINDINGS_ID}`, 'Skip to the findings'],
      ...runFrame({
        siteId: site.id,
        isVerified: site.verifiedAt !== null,
        report,
        annotations,
        evidence,
        proof,
        now: clock.now(),
      }),
    });
  });
};

interface RunFrameProps extends ReportProps {
  readonly proof: RunProof;
  readonly isVerified: boolean;
}

function runFrame({ proof, isVerified, ...props }: RunFrameProps): Pick<Page, 'mast' | 'main'> {
  const { siteId, report, evidence } = props;
  const { site, run } = report.response;
  return {
    mast: (
      <SiteMast
        site={site}
        title={`Run ${run.number}`}
        at={addressOf.runs(siteId)}
        below={{ crumbs: [[addressOf.runs(siteId), 'Runs']], here: `Run ${run.number}` }}
        actions={<Neighbours siteId={siteId} report={report} />}
      >
        <ReportHead {...props} isOwnPage />
      </SiteMast>
    ),
    main: (
      <div class="w two">
        <div>
          <Doubt proof={proof} />
          <RunMain {...props} />
        </div>
        <aside class="rail">
          <ScorePart runs={report.upToHere} />
          <LastRunsPart siteId={siteId} runs={report.upToHere} title="Up to this run" />
          <ApiPart siteId={siteId} report={report} hasEvidence={evidence.ofRun.size > 0} />
          {isVerified && (
            <section>
              <h2>Share</h2>
              <PublishRun siteId={siteId} number={run.number} />
            </section>
          )}
          <section>
            <h2>Compare</h2>
            <CompareForm
              siteId={siteId}
              from={String(report.previousNumber ?? report.latestNumber)}
              to={run.number}
              latestNumber={report.latestNumber}
            />
          </section>
          <Proof proof={proof} release={report.release} />
        </aside>
      </div>
    ),
  };
}

/** Whoever reads a run that does not match its digest has to know it first. */
function Doubt({ proof: { run, supplement } }: { readonly proof: RunProof }): JSX.Element | null {
  if (run.state !== 'broken' && supplement.state !== 'broken') return null;
  return (
    <div class="note is-f" role="note">
      <p>
        <b>This run may have been changed since it was stored:</b>{' '}
        {run.state === 'broken'
          ? 'it does not match its digest'
          : 'its notes, its gains or its release do not match their digest'}
        . The operator of the service has been told.
      </p>
    </div>
  );
}

interface ProofProps {
  readonly proof: RunProof;
  readonly release: string | null;
}

/** Which release judged it, and what proves later that nobody changed it. */
function Proof({ proof: { run, supplement }, release }: ProofProps): JSX.Element | null {
  const isProven = run.state === 'proven' && supplement.state !== 'broken';
  if (release === null && !isProven) return null;
  return (
    <section>
      <h2>Proof</h2>
      {release !== null && (
        <p class="small soft">
          Judged by release <code>{release}</code> of this service.
        </p>
      )}
      {isProven && (
        <p class="small soft">
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
        </p>
      )}
    </section>
  );
}

function Neighbours({ siteId, report }: { readonly siteId: string; readonly report: RunReport }): JSX.Element | null {
  const { previousNumber, nextNumber, latestNumber } = report;
  if (latestNumber === 1) return null;
  const link = (number: number, words: string): JSX.Element => (
    <a class="btn quiet" href={addressOf.run(siteId, number)}>
      Run {number}
      <span class="hide">{words}</span>
    </a>
  );
  return (
    <nav aria-label="Other runs" class="row">
      {previousNumber !== null && link(previousNumber, ', before')}
      {nextNumber !== null && link(nextNumber, ', after')}
      {nextNumber !== null && nextNumber !== latestNumber && link(latestNumber, ', the latest')}
    </nav>
  );
}
