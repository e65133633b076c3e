import { readFileSync } from 'node:fs';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import { expectedPath } from '../support/golden.js';
import { scanOwnSites } from '../support/own-scans.js';
import type { Row } from './rows.js';

/** What a scan found, by check: the result, with the error type of a FAIL. */
export function verdictsOf({ findings }: Pick<ScanReport, 'findings'>): ReadonlyMap<string, string> {
  return new Map(
    findings.map(({ checkId, result, errorType }) => [checkId, errorType ? `${result} ${errorType}` : result]),
  );
}

/** Returns a row for each label of the fixture sites, whose every finding is labelled, and of the corpus. */
export async function judgeOwn(): Promise<Row[]> {
  return (await scanOwnSites()).flatMap(({ name, report, corpusCase }) => {
    const found = verdictsOf(report);
    const labels = corpusCase ? Object.entries(corpusCase.expect) : [...verdictsOf(goldenOf(name))];
    return labels.map(([checkId, label]) => {
      return { id: name, checkId, expected: [label], found: found.get(checkId) ?? 'no finding' };
    });
  });
}

function goldenOf(name: string): ScanReport {
  return JSON.parse(readFileSync(expectedPath(name.replace('fixtures/', '')), 'utf8')) as ScanReport;
}
