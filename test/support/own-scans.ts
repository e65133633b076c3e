import type { ScanReport } from '../../src/scanner/scan/scan.js';
import type { CorpusCase } from '../corpus/case.js';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { readCorpus, toFixtureSite } from './corpus.js';
import type { FixtureSite } from './fixture-site.js';
import { scanFixture } from './golden.js';

export interface OwnScan {
  readonly name: string;
  readonly site: FixtureSite;
  readonly report: ScanReport;
  /** Null for a fixture site. */
  readonly corpusCase: CorpusCase | null;
}

let scans: Promise<readonly OwnScan[]> | null = null;

/** Scans every fixture site and every case of the corpus, once per process. */
export function scanOwnSites(): Promise<readonly OwnScan[]> {
  scans ??= scanAll();
  return scans;
}

async function scanAll(): Promise<OwnScan[]> {
  const sites = [
    ...FIXTURE_SITES.map(({ name, site }) => ({ name: `fixtures/${name}`, site, corpusCase: null })),
    ...readCorpus().flatMap(({ cases }) =>
      cases.map((corpusCase) => ({ name: corpusCase.id, site: toFixtureSite(corpusCase), corpusCase })),
    ),
  ];
  const scanned: OwnScan[] = [];
  for (const one of sites) scanned.push({ ...one, report: await scanFixture(one.site) });
  return scanned;
}
