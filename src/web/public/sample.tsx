import { type AgentToken, ASSISTANTS, TRIED_TOKENS } from '../../scanner/artifacts/agents.js';
import type { Answer, AssistantToken } from '../../scanner/artifacts/answer.js';
import { headlineOfAnswer } from '../../scanner/report/answer.js';
import { gainsOf } from '../../scanner/report/gain.js';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { scoreOf } from '../../scanner/report/score.js';
import type { Check } from '../../scanner/verdict/check.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { ErrorType, Result } from '../../scanner/verdict/vocabulary.js';
import { Mark, Words } from '../html/text.js';
import { Score } from '../html/page-header.js';
import { Pins } from '../html/pins.js';
import { type ReportView, reportView } from '../html/report-view.js';
import { failureHref } from '../server/paths.js';

const HOST = 'kilnstreet.example';

/** Checks that do not pass; all others do. Chosen so that the rounded points add up to the score once all are fixed. */
const NOT_PASSED: Readonly<Record<string, readonly [Result, ErrorType | null, detail?: string] | undefined>> = {
  'C-BOT-01': ['FAIL', 'BLOCKED', 'Line 6 blocks OAI-SearchBot from the home page.'],
  'C-LLMS-03': ['FAIL', 'DEAD_LINK', '2 of 9 links to the site itself are dead: lines 9 and 10.'],
  'C-MD-01': ['FAIL', 'NO_NEGOTIATION', '3 pages were asked for Markdown. None answered with it.'],
  'C-FWD-01': ['FAIL', 'MISSING', 'Neither robots.txt nor the home page declares one.'],
  'C-WK-01': ['NOT_APPLICABLE', null],
  'C-WK-02': ['NOT_APPLICABLE', null],
  'C-WK-03': ['NOT_APPLICABLE', null],
};

/** Which assistants can read the site: all but ChatGPT. */
const ANSWER: Answer = {
  training: 'unsaid',
  assistants: ASSISTANTS.map(({ name, tokens }) =>
    name === 'ChatGPT'
      ? { name, state: 'blocked', tokens: tokens.map(blockedToken) }
      : { name, state: 'open', tokens: tokens.map(allowedToken) },
  ),
};

function blockedToken(token: AgentToken): AssistantToken {
  return { token, robots: 'disallowed', line: 6, server: 'untested', status: null };
}

function allowedToken(token: AgentToken): AssistantToken {
  const server = TRIED_TOKENS.some((tried) => tried === token) ? 'served' : 'untested';
  return { token, robots: 'allowed', line: null, server, status: null };
}

/** Returns the findings of the site, in the words of the registry. */
export function sampleFindings(checks: readonly Check[]): readonly Finding[] {
  return checks.map((check): Finding => {
    const { id: checkId, pillar, scored, title, explanation } = check;
    const [result, errorType, detail = null] = NOT_PASSED[checkId] ?? ['PASS', null];
    const fix = (errorType && check.failures[errorType]?.fix) ?? null;
    return { checkId, pillar, scored, result, errorType, detail, title, explanation, fix };
  });
}

/** The report of the invented site, with the registry's texts and a computed score. */
function sampleView(checks: readonly Check[]): ReportView {
  const findings = sampleFindings(checks);
  const scan = { origin: `https://${HOST}`, score: scoreOf(findings), findings, gains: gainsOf(checks, findings) };
  return reportView({ ...scan, notes: [], movedTo: null, answer: ANSWER }, { agentHref: null });
}

/** The sample report of the home page: the answer, the score, and what to fix. */
export function SampleReport({ checks }: { readonly checks: readonly Check[] }) {
  const { scan, toDo, toFix, scoreIfFixed, passed } = sampleView(checks);
  return (
    <section class="sample" aria-label="A sample report" data-html-only>
      <div class="row apart">
        <b>{HOST}</b>
        <span class="soft small">sample report</span>
      </div>
      <p>
        <b class="is-f">
          <Words text={headlineOfAnswer(ANSWER)} />
        </b>
      </p>
      <Score score={scan.score} words={toDo[0]} change={`${passed} checks that apply pass`} />
      <Pins groups={pinGroupsOf(scan.findings)} size="pins-l" isMoving />
      <ol>
        {toFix?.groups.flatMap(({ word, rows }) =>
          rows
            .filter(({ finding }) => finding.scored)
            .map(({ checkId, finding, headline, worth }) => (
              <li key={checkId}>
                <Mark result="FAIL" />
                <a href={failureHref(checkId, finding.errorType ?? '')}>{headline}</a>
                <span class="num soft">{worth?.points}</span>
                <small>{word}</small>
              </li>
            )),
        )}
      </ol>
      <p class="num soft small">{scoreIfFixed}</p>
    </section>
  );
}
