import { ASSISTANTS } from '../../scanner/artifacts/agents/assistants.js';
import { type AgentToken, TRIED_TOKENS } from '../../scanner/artifacts/agents/tokens.js';
import type { Answer, AssistantToken } from '../../scanner/artifacts/answer.js';
import type { Check } from '../../scanner/verdict/check.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { ErrorType, Result } from '../../scanner/verdict/vocabulary.js';

/** An invented site. */
export const SAMPLE_HOST = 'kilnstreet.example';

interface SampleFinding {
  readonly result: Exclude<Result, 'PASS'>;
  readonly errorType?: ErrorType;
  readonly detail: string | null;
}

/** What does not pass there; all other checks do. */
const FOUND: Readonly<Partial<Record<string, SampleFinding>>> = {
  'C-BOT-01': {
    result: 'FAIL',
    errorType: 'BLOCKED',
    detail: 'Line 6 closes the home page to OAI-SearchBot and ChatGPT-User. The other four agents may fetch it.',
  },
  'C-LLMS-03': {
    result: 'FAIL',
    errorType: 'DEAD_LINK',
    detail: '2 of 9 links to the site itself are dead: lines 9 and 10.',
  },
  'C-SD-02': {
    result: 'FAIL',
    errorType: 'SCHEMA_MISMATCH',
    detail: 'Home page, block 1: a price is not a number.',
  },
  'C-MD-01': {
    result: 'FAIL',
    errorType: 'NO_NEGOTIATION',
    detail: '3 pages were asked for Markdown. None answered with it.',
  },
  'C-FWD-01': { result: 'FAIL', errorType: 'MISSING', detail: 'Neither robots.txt nor the home page declares one.' },
  'C-WK-03': { result: 'UNDETERMINED', detail: 'The API catalog gave no answer in time.' },
  'C-WK-01': { result: 'NOT_APPLICABLE', detail: null },
  'C-WK-02': { result: 'NOT_APPLICABLE', detail: null },
};

const BARRED: readonly string[] = ['OAI-SearchBot', 'ChatGPT-User'];

/** Which assistants can read the site: all but ChatGPT. */
export const SAMPLE_ANSWER: Answer = {
  training: 'unsaid',
  assistants: ASSISTANTS.map(({ name, tokens }) => ({
    name,
    state: tokens.some((token) => BARRED.includes(token)) ? 'blocked' : 'open',
    tokens: tokens.map(tokenOf),
  })),
};

function tokenOf(token: AgentToken): AssistantToken {
  if (BARRED.includes(token)) return { token, robots: 'disallowed', line: 6, server: 'untested', status: null };
  const server = (TRIED_TOKENS as readonly string[]).includes(token) ? 'served' : 'untested';
  return { token, robots: 'allowed', line: null, server, status: null };
}

/** Returns the findings of the site, in the words of the registry. */
export function sampleFindings(checks: readonly Check[]): readonly Finding[] {
  return checks.map((check): Finding => {
    const { id: checkId, pillar, scored, title, explanation } = check;
    const { result = 'PASS', errorType = null, detail = null } = FOUND[checkId] ?? {};
    const fix = (errorType && check.failures[errorType]?.fix) ?? null;
    return { checkId, pillar, scored, result, errorType, detail, title, explanation, fix };
  });
}
