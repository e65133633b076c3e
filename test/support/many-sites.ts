import type { SampledPages } from '../../src/scanner/artifacts/pages.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import type { Gain } from '../../src/scanner/report/gain.js';
import { scoreOf, shareOf } from '../../src/scanner/report/score.js';
import { namedFailures } from '../../src/scanner/verdict/failure.js';
import type { Result } from '../../src/scanner/verdict/vocabulary.js';
import { packAnswer, packRun } from '../../src/app/runs/run-bodies.js';
import { formatResults, runs as storedRuns } from '../../src/app/runs/run-rows.js';
import type { RunResponse } from '../../src/app/runs/run.js';
import { LABEL_MAX } from '../../src/platform/label.js';
import { entityTagOf } from '../../src/platform/http/answer.js';
import { newId } from '../../src/platform/ids.js';
import type { Database, Tx } from '../../src/store/database.js';
import { defineQuery } from '../../src/store/query.js';
import { answerWith, disallowed, refused } from './answers.js';

/** A site as it is to stand in the list. */
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
  /** The same of runs without a score. */
  readonly cause?: string;
  /** Numbers of the runs that have names, as long as they may be. */
  readonly named?: readonly number[];
  /** The chosen pages that the last run has read. */
  readonly pages?: SampledPages;
}

const DAY_MS = 86_400_000;

const LETTERS: Readonly<Record<string, Result>> = { p: 'PASS', f: 'FAIL', u: 'UNDETERMINED', n: 'NOT_APPLICABLE' };

/** A run that determined nothing. */
export const NO_SCORE = 'u'.repeat(CHECKS.length);

/**
 * Inserts sites and their runs, one a day, as plain rows: fast, and good enough for lists and comparisons.
 * @returns the sites' ids
 */
export async function seedSites(
  db: Database,
  accountId: string,
  sites: readonly SeededSite[],
  now = new Date('2026-03-15T12:00:00.000Z'),
): Promise<readonly string[]> {
  const at = now.toISOString();
  const ids: string[] = [];
  for (const { hostname, isVerified = true, ...site } of sites) {
    const id = newId('site');
    ids.push(id);
    const [verified_at, verified_by] = isVerified ? [at, 'operator'] : [null, null];
    const row = { id, account_id: accountId, hostname, origin: `https://${hostname}`, created_at: at };
    await db.transaction((tx) => addSite(tx, { ...row, verified_at, verified_by }, site));
  }
  return ids;
}

async function addSite(
  tx: Tx,
  site: SiteRow,
  { runs, detail, cause, named = [], pages }: Omit<SeededSite, 'hostname' | 'isVerified'>,
): Promise<void> {
  await tx.run(insertSite(site));
  for (const [index, letters] of runs.entries()) {
    const number = index + 1;
    const findings = findingsOf(letters, letters === NO_SCORE ? cause : number === runs.length ? detail : undefined);
    const daysAgo = (runs.length - number) * DAY_MS;
    const finished_at = new Date(Date.parse(site.created_at) - daysAgo).toISOString();
    const reference = `CR-${number}`;
    const [score, started_at] = [scoreOf(findings), finished_at];
    const row = { number, reference, score, started_at, finished_at, results: formatResults({ findings }) };
    const run = { number, reference, score, trigger: SAME.trigger, startedAt: started_at, finishedAt: finished_at };
    const body = Buffer.from(JSON.stringify({ site: { id: site.id, hostname: site.hostname }, run, findings }));
    await tx.run(advance({ id: site.id }));
    const isLast = number === runs.length;
    const gains = isLast && detail !== undefined ? gainsFor(findings) : [];
    const name = named.includes(number) ? 'x'.repeat(LABEL_MAX) : null;
    const supplement = {
      label: name,
      commit_id: name,
      pages: isLast && pages ? JSON.stringify(pages) : null,
      answer: isLast && detail !== undefined ? LONGEST_ANSWER : null,
    };
    const stored = { body: packRun(body, { gains }), etag: entityTagOf(body) };
    await tx.run(storedRuns.insert({ ...row, ...SAME, ...supplement, ...stored, site_id: site.id }));
  }
}

type SiteRow = Parameters<typeof insertSite>[0];

/** Each brings its own check alone. */
function gainsFor(findings: RunResponse['findings']): Gain[] {
  const { applicable } = shareOf(findings);
  return findings
    .filter(({ result }) => result === 'FAIL')
    .map(({ checkId, scored }) => {
      const points = scored ? Math.round(100 / applicable) : 0;
      return { checkId, points, isAtLeast: false };
    });
}

function findingsOf(letters: string, said?: SeededSite['detail']): RunResponse['findings'] {
  return CHECKS.map((check, index) => {
    const { id: checkId, pillar, scored, title, explanation } = check;
    const result = LETTERS[letters[index] ?? 'p'] ?? 'PASS';
    const { errorType = null, fix = null } = (result === 'FAIL' ? namedFailures(check)[0] : undefined) ?? {};
    const outcome = { checkId, pillar, scored, result, errorType };
    if (said === undefined) return { ...outcome, detail: null, title: null, explanation: null, fix: null };
    const own = typeof said === 'string' ? said : (said[index] ?? null);
    const detail = result === 'FAIL' || result === 'UNDETERMINED' ? own : null;
    return { ...outcome, detail, title, explanation, fix };
  });
}

const SAME = { trigger: 'SCHEDULED', release: null } as const;
/** Every state in which an assistant can be kept out, with the most words. */
const LONGEST_ANSWER = packAnswer(
  answerWith(
    {
      ChatGPT: { state: 'blocked', tokens: [disallowed(1234567), disallowed(7654321)] },
      Claude: { state: 'partly', tokens: [{}, refused(403)] },
      Perplexity: { state: 'unknown', reason: 'unproven', tokens: [{ server: 'untested', status: 429 }] },
      Google: { state: 'blocked', tokens: [disallowed(1234567)] },
      'Microsoft Copilot': { state: 'blocked', tokens: [disallowed(1234567)] },
    },
    'partly',
  ),
);

const insertSite = defineQuery<
  never,
  Readonly<Record<'id' | 'account_id' | 'hostname' | 'origin' | 'created_at', string>> &
    Readonly<Record<'verified_at' | 'verified_by', string | null>>
>((sql, { id, account_id, hostname, origin, created_at, verified_at, verified_by }) =>
  sql('sites').insert({ id, account_id, hostname, origin, created_at, verified_at, verified_by }),
);

const advance = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('sites')
    .where({ id })
    .update({ run_counter: sql.raw('run_counter + 1') }),
);
