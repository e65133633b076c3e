import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { verdictsOf } from '../accuracy/own-rows.js';
import { answersOf } from '../corpus/case.js';
import { scanOwnSites } from './own-scans.js';
import { PROJECT } from './project.js';

/** How a release judges each fixture site and each case of the corpus, and by which revision of each check. */
export interface Released {
  readonly release: string;
  /** By check, in the order in which each case lists its verdicts. */
  readonly revisions: Readonly<Record<string, number>>;
  readonly cases: Readonly<Record<string, ReleasedCase>>;
}

interface ReleasedCase {
  /** Digest of what the case serves. An edited case is another one, and is not compared. */
  readonly input: string;
  /** Separated by commas. */
  readonly verdicts: string;
}

export const RELEASED_PATH = join(PROJECT, 'test', 'scanner', 'golden', 'released.json');

/** Judges every case by the present source. */
export async function judgeCases(release: string): Promise<Released> {
  const scans = await scanOwnSites();
  const cases = scans.map(({ name, site, report, corpusCase }) => {
    const verdicts = verdictsOf(report);
    const served = JSON.stringify(corpusCase ? answersOf(corpusCase) : site);
    const input = createHash('sha256').update(served).digest('hex').slice(0, 16);
    return [name, { input, verdicts: CHECKS.map(({ id }) => verdicts.get(id)).join(',') }] as const;
  });
  const revisions = Object.fromEntries(CHECKS.map(({ id, revision }) => [id, revision]));
  return { release, revisions, cases: Object.fromEntries(cases) };
}

/** Returns the checks that judge a case differently than in `last` but have the same revision, or whose revision skips a number. */
export function listUnrevised(last: Released, now: Released): string[] {
  return Object.entries(last.revisions).flatMap(([id, was], index) => {
    const revision = now.revisions[id];
    const at = Object.keys(now.revisions).indexOf(id);
    if (revision === undefined || revision === was + 1) return [];
    if (revision !== was) return [`${id} had revision ${was} in ${last.release}: the next one is ${was + 1}.`];
    const moved = Object.entries(now.cases).filter(([name, { input, verdicts }]) => {
      const before = last.cases[name];
      return before?.input === input && before.verdicts.split(',')[index] !== verdicts.split(',')[at];
    });
    if (moved.length === 0) return [];
    const names = moved.slice(0, 3).map(([name]) => name);
    return [
      `${id} judges ${moved.length} cases differently than ${last.release} (${names.join(', ')}): set "revision" to ${was + 1}.`,
    ];
  });
}
