import { readFileSync } from 'node:fs';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import { expectedPath } from '../support/golden.js';
import { scanOwnSites } from '../support/own-scans.js';
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

/** Returns a row for each label of the fixture sites, whose every finding is labelled, and of the corpus. */
export async function judgeOwn(): Promise<Row[]> {
  return (await scanOwnSites()).flatMap(({ name, report, corpusCase }) => {
    const labels = corpusCase ? new Map(Object.entries(corpusCase.expect)) : verdictsOf(expectedOf(name));
    return rowsOf(name, labels, report);
  });
}

function expectedOf(name: string): Expected {
  return JSON.parse(readFileSync(expectedPath(name.replace('fixtures/', '')), 'utf8')) as Expected;
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
