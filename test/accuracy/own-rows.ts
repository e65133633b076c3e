import { readFileSync } from 'node:fs';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import type { CorpusCase } from '../corpus/case.js';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { readCorpus, toFixtureSite } from '../support/corpus.js';
import { expectedPath, scanFixture } from '../support/golden.js';
import type { Row } from './rows.js';

interface Expected {
  readonly findings: readonly {
    readonly checkId: string;
    readonly result: string;
    readonly errorType: string | null;
  }[];
}

/** What a scan found, by check: the result, with the error type of a FAIL. */
export function verdictsOf({ findings }: ScanReport | Expected): ReadonlyMap<string, string> {
  return new Map(
    findings.map(({ checkId, result, errorType }) => [checkId, errorType ? `${result} ${errorType}` : result]),
  );
}

/** The fixture sites, whose every finding is labelled, and the cases of the corpus. */
export async function judgeOwn(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, site } of FIXTURE_SITES) {
    const labels = JSON.parse(readFileSync(expectedPath(name), 'utf8')) as Expected;
    rows.push(...rowsOf(`fixtures/${name}`, verdictsOf(labels), await scanFixture(site)));
  }
  for (const { cases } of readCorpus()) for (const one of cases) rows.push(...(await judgeCase(one)));
  return rows;
}

async function judgeCase(corpusCase: CorpusCase): Promise<Row[]> {
  const labels = new Map(Object.entries(corpusCase.expect));
  return rowsOf(corpusCase.id, labels, await scanFixture(toFixtureSite(corpusCase)));
}

function rowsOf(id: string, labels: ReadonlyMap<string, string>, report: ScanReport): Row[] {
  const found = verdictsOf(report);
  return [...labels].map(([checkId, label]) => ({
    id,
    checkId,
    expected: [label],
    found: found.get(checkId) ?? 'no finding',
  }));
}
