import type { Check } from '../../scanner/verdict/check.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { ErrorType, Result } from '../../scanner/verdict/vocabulary.js';
import { scoreOf } from '../../scanner/report/score.js';
import type { Gain } from '../../scanner/report/gain.js';

/** An invented site. */
export const SAMPLE_HOST = 'kilnstreet.example';

interface SampleFinding {
  readonly result: Exclude<Result, 'PASS'>;
  readonly errorType?: ErrorType;
  readonly detail: string | null;
  /** Where it was seen, in a few words. */
  readonly seen?: string;
}

/** What has not passed on it: first the failures, in the order in which to fix them. */
const FOUND: Readonly<Partial<Record<string, SampleFinding>>> = {
  'C-BOT-01': {
    result: 'FAIL',
    errorType: 'BLOCKED',
    detail: 'Line 6 closes the home page to OAI-SearchBot and PerplexityBot. The other four agents may fetch it.',
    seen: 'line 6',
  },
  'C-LLMS-03': {
    result: 'FAIL',
    errorType: 'DEAD_LINK',
    detail: '2 of 9 links to the site itself are dead: lines 9 and 10.',
    seen: 'lines 9 and 10',
  },
  'C-SD-02': {
    result: 'FAIL',
    errorType: 'SCHEMA_MISMATCH',
    detail: 'Home page, block 1: a price is not a number.',
    seen: 'home page, block 1',
  },
  'C-MD-01': {
    result: 'FAIL',
    errorType: 'NO_NEGOTIATION',
    detail: '3 pages were asked for Markdown. None answered with it.',
    seen: '3 pages asked',
  },
  'C-FWD-01': { result: 'FAIL', errorType: 'MISSING', detail: 'Neither robots.txt nor the home page declares one.' },
  'C-WK-03': { result: 'UNDETERMINED', detail: 'The API catalog gave no answer in time.' },
  'C-WK-01': { result: 'NOT_APPLICABLE', detail: null },
  'C-WK-02': { result: 'NOT_APPLICABLE', detail: null },
};

/** What a scan of the site finds, in the words of the registry. */
export function sampleFindings(checks: readonly Check[]): readonly Finding[] {
  return checks.map((check): Finding => {
    const { id: checkId, pillar, scored, title, explanation } = check;
    const { result = 'PASS', errorType = null, detail = null } = FOUND[checkId] ?? {};
    const fix = (errorType && check.failures[errorType]?.fix) ?? null;
    return { checkId, pillar, scored, result, errorType, detail, title, explanation, fix };
  });
}

/** Its scored failures in the order in which to fix them, each with where it was seen. */
export function sampleFailures(checks: readonly Check[]): readonly (readonly [finding: Finding, seen: string])[] {
  const findings = sampleFindings(checks);
  return Object.entries(FOUND).flatMap(([checkId, found]) => {
    const finding = findings.find((one) => one.checkId === checkId);
    return finding && found?.seen !== undefined ? [[finding, found.seen] as const] : [];
  });
}

/** What fixing each adds: a check of the score's worth, and nothing else changes with it. */
export function sampleGains(checks: readonly Check[]): readonly Gain[] {
  const findings = sampleFindings(checks);
  const before = scoreOf(findings) ?? 0;
  return findings
    .filter(({ result }) => result === 'FAIL')
    .map(({ checkId }) => {
      const after = findings.map((one) => (one.checkId === checkId ? { ...one, result: 'PASS' as const } : one));
      return { checkId, points: (scoreOf(after) ?? 0) - before, isAtLeast: false };
    });
}
