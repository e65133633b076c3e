import { DAY_MS } from '../../src/platform/clock.js';
import { LABEL_MAX } from '../../src/platform/label.js';
import type { SampledPages } from '../../src/scanner/artifacts/pages.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { gainsOf } from '../../src/scanner/report/gain.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import type { Result } from '../../src/scanner/verdict/vocabulary.js';
import type { Database } from '../../src/store/database.js';
import { scanReport, TestClock } from './accounts.js';
import { answerWith, disallowed, findingFrom, refused, SILENT } from './reports.js';
import { openServices } from './services.js';

export interface SeededSite {
  readonly hostname: string;
  readonly isVerified?: boolean;
  /** One text a run, oldest first: a letter a check in the registry's order, as {@link LETTERS} says; a check left out passes. */
  readonly runs: readonly string[];
  /**
   * What failures and undetermined checks of the last run say, each its own or all the same; then its findings have the texts of their
   * checks, and each failure what it is worth by itself.
   */
  readonly detail?: string | readonly string[];
  /** The detail of runs without a score. */
  readonly cause?: string;
  /** True if the site did not answer in the last run. */
  readonly isSilent?: boolean;
  /** Numbers of the runs that have names of the longest kind. */
  readonly named?: readonly number[];
  readonly pages?: SampledPages;
}

export const LETTERS: Readonly<Record<string, Result>> = {
  p: 'PASS',
  f: 'FAIL',
  u: 'UNDETERMINED',
  n: 'NOT_APPLICABLE',
};

/** A run that determined nothing. */
export const NO_SCORE = 'u'.repeat(CHECKS.length);

/**
 * Adds sites, each with a run a day.
 * @returns the sites' ids
 */
export async function seedSites(
  db: Database,
  accountId: string,
  sites: readonly SeededSite[],
  now = new Date('2026-03-15T12:00:00.000Z'),
): Promise<readonly string[]> {
  const clock = new TestClock(now);
  let report = scanReport();
  const services = openServices(db, { clock, sitesMaxOverride: 1_000_000, scan: async () => report });
  const ids: string[] = [];
  for (const { hostname, isVerified = true, runs, detail, cause, isSilent, named = [], pages = null } of sites) {
    clock.time = now;
    const site = await services.sites.add({ accountId, site: hostname });
    if (isVerified) await services.sites.markVerified(site.id, 'operator');
    ids.push(site.id);
    for (const [index, letters] of runs.entries()) {
      const isLast = index === runs.length - 1;
      const isDetailed = isLast && detail !== undefined;
      clock.time = new Date(now.getTime() - (runs.length - 1 - index) * DAY_MS);
      const findings = findingsOf(letters, letters === NO_SCORE ? cause : isLast ? detail : undefined);
      report = {
        ...scanReport(scoreOf(findings)),
        ...{ startedAt: clock.now(), finishedAt: clock.now(), findings, pages: isLast ? pages : null },
        ...(isDetailed && { gains: gainsOf(CHECKS, findings), answer: LONGEST_ANSWER }),
        ...(isLast && isSilent && { answer: SILENT }),
      };
      const name = 'x'.repeat(LABEL_MAX);
      const label = named.includes(index + 1) ? { label: name, commit: name } : null;
      await services.performRun({ site, trigger: 'SCHEDULED', label });
    }
  }
  return ids;
}

function findingsOf(letters: string, said?: SeededSite['detail']): Finding[] {
  return CHECKS.map((check, index) => {
    const result = LETTERS[letters[index] ?? 'p'] ?? 'PASS';
    const isTold = result === 'FAIL' || result === 'UNDETERMINED';
    const detail = typeof said === 'string' ? said : (said?.[index] ?? null);
    return findingFrom(check, { result, detail: isTold ? detail : null });
  });
}

/** The longest text for every state in which an assistant is kept out. */
const LONGEST_ANSWER = answerWith(
  {
    ChatGPT: { state: 'blocked', tokens: [disallowed(1234567), disallowed(7654321)] },
    Claude: { state: 'partly', tokens: [{}, refused(403)] },
    Perplexity: { state: 'unknown', reason: 'unproven', tokens: [{ server: 'untested', status: 429 }] },
    Google: { state: 'blocked', tokens: [disallowed(1234567)] },
    'Microsoft Copilot': { state: 'blocked', tokens: [disallowed(1234567)] },
  },
  'partly',
);
