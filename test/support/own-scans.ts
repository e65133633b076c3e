import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import { answersOf, type CorpusCase, sentAnswer } from '../corpus/case.js';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { FIXTURE_ORIGIN, type FixtureRoute, type FixtureSite } from './fixture-site.js';
import { scanFixture } from './golden.js';
import { PROJECT } from './project.js';

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

const CASES = join(PROJECT, 'test', 'corpus', 'cases');

export function readCorpus(): { readonly topic: string; readonly cases: readonly CorpusCase[] }[] {
  return readdirSync(CASES).map((file) => ({
    topic: file.replace(/\.json$/, ''),
    cases: JSON.parse(readFileSync(join(CASES, file), 'utf8')) as CorpusCase[],
  }));
}

/** Returns a case as a site that can be scanned without a network. */
export function toFixtureSite(corpusCase: CorpusCase): FixtureSite {
  const routes = Object.entries(answersOf(corpusCase)).map(([key, answer]): [string, FixtureRoute] => [
    key,
    ({ method, headers }) => {
      const { type, ...sent } = sentAnswer(answer, { method, accept: headers.accept }, FIXTURE_ORIGIN);
      return { ...sent, ...(type !== undefined && { type }) };
    },
  ]);
  return { routes: Object.fromEntries(routes) };
}
