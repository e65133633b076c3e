import type { Check } from '../../scanner/verdict/check.js';
import { gainsOf } from '../../scanner/report/gain.js';
import { scoreOf } from '../../scanner/report/score.js';
import { type ReportView, reportView } from '../html/report-view.js';
import { SAMPLE_PATH } from '../server/public-pages.js';
import { sendForAgents } from '../server/send-for-agents.js';
import type { Part } from '../server/page-part.js';
import { SCAN_ANOTHER, visitorReport } from './report-page.js';
import { SAMPLE_ANSWER, SAMPLE_HOST, sampleFindings } from './sample.js';

const AGENT_PATH = `${SAMPLE_PATH}/agent`;

/** The sample report. The home page shows its beginning. */
export const addSampleRoutes: Part = (router, { checks, clock, sendConstantPage }) => {
  router.get(SAMPLE_PATH, (ctx) =>
    sendConstantPage(ctx, SAMPLE_PATH, () => ({
      title: 'A sample report',
      ...visitorReport({
        hostname: SAMPLE_HOST,
        view: sampleView(checks),
        over: 'Sample report of an invented site',
        facts: null,
        rail: SCAN_ANOTHER,
        unjudged: null,
        now: clock.now(),
      }),
    })),
  );
  router.get(AGENT_PATH, (ctx) => sendForAgents(ctx, sampleView(checks).scan));
};

/** The report of the invented site: the words of the registry, and the arithmetic of a real run. */
export function sampleView(checks: readonly Check[]): ReportView {
  const findings = sampleFindings(checks);
  const scan = {
    origin: `https://${SAMPLE_HOST}`,
    score: scoreOf(findings),
    findings,
    gains: gainsOf(checks, findings),
    notes: [],
    movedTo: null,
    answer: SAMPLE_ANSWER,
  };
  return reportView(scan, { agentHref: AGENT_PATH });
}
