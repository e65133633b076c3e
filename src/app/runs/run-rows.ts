import { BoundedMap, getOrCreate } from '../../net/keyed.js';
import type { Answer } from '../../scanner/artifacts/answer.js';
import type { SampledPages } from '../../scanner/artifacts/pages.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { ErrorType, Result } from '../../scanner/verdict/vocabulary.js';
import { readPages } from '../../store/batches.js';
import type { Database, Sql } from '../../store/database.js';
import { defineQuery, jsonRows, type Row, table } from '../../store/query.js';
import { readEvidence } from '../evidence/evidence.js';
import { sitesToExport } from '../sites/site.js';
import type { RunLabel, Trigger } from './run.js';
import { unpackAnswer, unpackRun } from './run-bodies.js';

export type RunRow = Row<'runs'> & { readonly trigger: Trigger };

export const runs = table<'runs', RunRow>('runs');

export type CheckResult = Pick<Finding, 'checkId' | 'scored' | 'result' | 'errorType'>;

/** A run without its texts, for lists, comparisons and alerts. */
export interface RunSummary {
  readonly number: number;
  readonly reference: string;
  readonly score: number | null;
  readonly trigger: Trigger;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly label: RunLabel | null;
  readonly findings: readonly CheckResult[];
  /** Pages that the run read; null if the owner never chose any. */
  readonly pages: SampledPages | null;
  /** Which assistants can read the site; null if unknown. */
  readonly answer: Answer | null;
}

/** A range of a site's runs. Run numbers have no gaps. */
export interface RunRange {
  readonly site_id: string;
  readonly first: number;
  readonly last: number;
}

const SUMMARY_COLUMNS = [
  ...['site_id', 'number', 'reference', 'score', 'trigger', 'started_at', 'finished_at', 'label', 'commit_id'],
  ...['results', 'pages', 'answer'],
];

/** Selects ranges of runs, newest first. @param ranges JSON: `[RunRange, …]` */
const selectRuns = defineQuery<Omit<RunRow, 'body' | 'etag' | 'release'>, { ranges: string }>((sql, { ranges }) =>
  sql('runs as r')
    .select(SUMMARY_COLUMNS.map((column) => `r.${column}`))
    .join(jsonRows(sql, ranges, ['site_id', 'first', 'last']), (on) =>
      on
        .on('r.site_id', 'input.site_id')
        .andOn('r.number', '>=', sql.raw('CAST(input.first AS integer)'))
        .andOn('r.number', '<=', sql.raw('CAST(input.last AS integer)')),
    )
    .orderBy([{ column: 'r.site_id' }, { column: 'r.number', order: 'desc' }]),
);

/** Reads runs by site id, newest first. Runs with equal findings, pages or answers share one object. */
export async function readRanges(sql: Sql, ranges: readonly RunRange[]): Promise<ReadonlyMap<string, RunSummary[]>> {
  const runsBySite = new Map<string, RunSummary[]>();
  if (ranges.length === 0) return runsBySite;
  const findings = new Map<string, readonly CheckResult[]>();
  const pages = new Map<string | null, SampledPages | null>();
  const answers = new Map<string | null, Answer | null>();
  for (const row of await sql.run(selectRuns({ ranges: JSON.stringify(ranges) }))) {
    getOrCreate(runsBySite, row.site_id, () => []).push({
      number: row.number,
      reference: row.reference,
      score: row.score,
      trigger: row.trigger,
      startedAt: row.started_at,
      finishedAt: row.finished_at,
      label: labelFromRow(row),
      findings: getOrCreate(findings, row.results, () => parseResults(row.results)),
      pages: getOrCreate(pages, row.pages, () => JSON.parse(row.pages ?? 'null') as SampledPages | null),
      answer: getOrCreate(answers, row.answer, () => unpackAnswer(row.answer)),
    });
  }
  return runsBySite;
}

/** Reads a site's runs from `first` to `last`, newest first. */
export async function readRuns(sql: Sql, siteId: string, first: number, last: number): Promise<RunSummary[]> {
  return (await readRanges(sql, [{ site_id: siteId, first, last }])).get(siteId) ?? [];
}

/** Reads up to `count` runs before a number, newest first. */
export function readRunsBefore(sql: Sql, siteId: string, number: number, count: number): Promise<RunSummary[]> {
  return readRuns(sql, siteId, Math.max(1, number - count), number - 1);
}

function labelFromRow({ label, commit_id: commit }: Pick<RunRow, 'label' | 'commit_id'>): RunLabel | null {
  return label === null && commit === null ? null : { label, commit };
}

/** One letter per result, in lower case if the check is not scored. */
const LETTERS: Readonly<Record<Result, string>> = { PASS: 'P', FAIL: 'F', UNDETERMINED: 'U', NOT_APPLICABLE: 'N' };
const RESULTS = new Map(Object.entries(LETTERS).map(([result, letter]) => [letter, result as Result]));

/** Formats results for the `results` column, so that comparisons need no bodies: `C-LLMS-01P C-LLMS-02F:DEAD_LINK`. */
export function formatResults({ findings }: { readonly findings: readonly CheckResult[] }): string {
  const words = findings.map(({ checkId, scored, result, errorType }) => {
    const letter = LETTERS[result];
    return checkId + (scored ? letter : letter.toLowerCase()) + (errorType === null ? '' : `:${errorType}`);
  });
  return words.join(' ');
}

/** Parses the text of {@link formatResults}. Equal results share one object. */
export function parseResults(text: string): readonly CheckResult[] {
  const words = text.split(' ').filter((word) => word !== '');
  return words.map((word) => getOrCreate(parsedResults, word, () => parseResult(word)));
}

/** More than the number of combinations of check, result and error type. */
const parsedResults = new BoundedMap<string, CheckResult>(10_000);

function parseResult(word: string): CheckResult {
  const [check = '', errorType = null] = word.split(':');
  const letter = check.slice(-1);
  return {
    checkId: check.slice(0, -1),
    scored: letter === letter.toUpperCase(),
    result: RESULTS.get(letter.toUpperCase()) ?? 'UNDETERMINED',
    errorType: errorType as ErrorType | null,
  };
}

/** About half a megabyte. */
const EXPORTED_AT_ONCE = 50;

const selectRunsToExport = defineQuery<RunRow, { site_id: string; after: number }>((sql, { site_id, after }) =>
  sql('runs').where({ site_id }).where('number', '>', after).orderBy('number').limit(EXPORTED_AT_ONCE),
);

/** Yields a line of JSON for each run of the account. Contains the stored response byte for byte. */
export async function* exportRuns(db: Database, accountId: string): AsyncGenerator<string, void> {
  for await (const { id: site_id } of sitesToExport(db, accountId)) {
    const rows = readPages<RunRow>((last) => db.run(selectRunsToExport({ site_id, after: last?.number ?? 0 })));
    for await (const run of rows) {
      const { body, advice } = unpackRun(run.body);
      const { notes, movedTo, gains } = advice;
      const { release, pages } = run;
      const more = JSON.stringify({
        release,
        label: labelFromRow(run),
        pages: pages === null ? null : (JSON.parse(pages) as unknown),
        answer: unpackAnswer(run.answer),
        notes,
        movedTo,
        gains,
        evidence: await readEvidence(db, site_id, run.number),
      });
      yield `{"type":"run","response":${body.toString('utf8')},${more.slice(1)}\n`;
    }
  }
}
