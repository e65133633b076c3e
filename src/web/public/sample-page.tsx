import { Findings, FINDINGS_ID, ladderFor } from '../html/findings.js';
import { HostName, Score } from '../html/mast.js';
import { Legend } from '../html/pins.js';
import { ScanForm } from '../html/scan-form.js';
import { ScoreWords } from '../html/score-figure.js';
import { RailPart, Two } from '../html/two.js';
import { ScoreFacts, Verdict } from '../html/verdict.js';
import { addressOf } from './free-scan-addresses.js';
import type { Check } from '../../scanner/verdict/check.js';
import { scoreOf } from '../../scanner/report/score.js';
import type { Page } from '../server/page.js';
import { SAMPLE_PATH } from '../server/public-pages.js';
import { sendForAgents } from '../server/send-for-agents.js';
import type { SitePart } from './deps.js';
import { SAMPLE_HOST, sampleFindings, sampleGains } from './sample.js';

const AGENT_PATH = `${SAMPLE_PATH}/agent`;

/** The whole report of which the home page shows the beginning: what a scan of one's own site would come to. */
export const addSampleRoutes: SitePart = (router, { checks, sendConstantPage }) => {
  router.get(SAMPLE_PATH, (ctx) => sendConstantPage(ctx, () => samplePage(checks)));
  router.get(AGENT_PATH, (ctx) => sendForAgents(ctx, reportOf(checks)));
};

function reportOf(checks: readonly Check[]) {
  return { origin: `https://${SAMPLE_HOST}`, findings: sampleFindings(checks), gains: sampleGains(checks) };
}

function samplePage(checks: readonly Check[]): Page {
  const report = reportOf(checks);
  const { findings, gains } = report;
  const score = scoreOf(findings);
  return {
    title: 'A sample report',
    skip: [`#${FINDINGS_ID}`, 'Skip to the findings'],
    mast: (
      <div class="mast">
        <div class="w">
          <p class="over">Sample report of an invented site</p>
          <Verdict
            findings={findings}
            facts={
              <ScoreFacts
                findings={findings}
                ladder={ladderFor({ findings, gains })}
                openCount={gains.filter(({ points }) => points > 0).length}
              />
            }
          >
            <h1>
              <HostName name={SAMPLE_HOST} />
            </h1>
            <Score score={score} words={<ScoreWords {...{ score, findings }} />} />
          </Verdict>
        </div>
      </div>
    ),
    main: (
      <Two
        isGlanceFirst
        rail={
          <>
            <RailPart title="And your site?">
              <ScanForm action={addressOf.form} isNamed hint="Free, without an account." />
            </RailPart>
            <RailPart title="How to read the pins">
              <Legend />
            </RailPart>
          </>
        }
      >
        <Findings {...report} notes={[]} agentHref={AGENT_PATH} />
      </Two>
    ),
  };
}
