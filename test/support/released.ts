import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { verdictsOf } from '../accuracy/own-rows.js';
import { answersOf } from '../corpus/case.js';
import type { Check } from '../../src/scanner/verdict/check.js';
import type { readNewestRelease } from './changelog.js';
import type { FixtureSite } from './fixture-site.js';
import { scanOwnSites } from './own-scans.js';
import { PROJECT } from './project.js';

/** How the last release judged each fixture site and each case of the corpus, and by which revision of each check. */
export interface Released {
  readonly release: string;
  /** By check, in the order in which each case lists its verdicts. */
  readonly revisions: Readonly<Record<string, number>>;
  readonly cases: Readonly<Record<string, ReleasedCase>>;
}

interface ReleasedCase {
  /** Of what the case serves: one that was edited since is another case, and is not compared. */
  readonly input: string;
  /** Separated by commas. */
  readonly verdicts: string;
}

export interface JudgedCase {
  readonly name: string;
  readonly input: string;
  /** By check: the result, with the error type of a FAIL. */
  readonly verdicts: ReadonlyMap<string, string>;
}

export const RELEASED_PATH = join(PROJECT, 'test', 'scanner', 'golden', 'released.json');

export async function judgeCases(): Promise<JudgedCase[]> {
  return (await scanOwnSites()).map(({ name, site, report, corpusCase }) => ({
    ...{ name, input: digestServed(corpusCase ? answersOf(corpusCase) : site) },
    verdicts: verdictsOf(report),
  }));
}

/** Answers that are functions do not count: an upgrade of the compiler changes their source. */
function digestServed(served: FixtureSite | ReturnType<typeof answersOf>): string {
  return createHash('sha256').update(JSON.stringify(served)).digest('hex').slice(0, 16);
}

/** Why no release is being made now; null when one is. */
export function explainUnready({
  newest,
  version,
  last,
}: {
  readonly newest: ReturnType<typeof readNewestRelease>;
  /** Of package.json. */
  readonly version: string;
  /** The release whose verdicts are kept. */
  readonly last: string;
}): string | null {
  if (!newest.isDone || newest.version !== version) {
    return `No release is being made: the first heading of CHANGELOG.md is not "## ${version} (its day)".`;
  }
  // Rebuilding the record of a release would hide what has moved since.
  return last.split('+')[0] === version ? `The verdicts of ${version} are kept already.` : null;
}

type JudgingCheck = Pick<Check, 'id' | 'revision'>;

export function formatReleased(
  release: string,
  checks: readonly JudgingCheck[],
  judged: readonly JudgedCase[],
): string {
  const released: Released = {
    release,
    revisions: Object.fromEntries(checks.map(({ id, revision }) => [id, revision])),
    cases: Object.fromEntries(
      judged.map(({ name, input, verdicts }) => [
        name,
        { input, verdicts: checks.map(({ id }) => verdicts.get(id)).join(',') },
      ]),
    ),
  };
  return `${JSON.stringify(released, null, 2)}\n`;
}

/** What has to be done before the next release, a sentence for each check; empty where every verdict is that of its revision. */
export function listUnrevised(
  { release, revisions, cases }: Released,
  checks: readonly JudgingCheck[],
  judged: readonly JudgedCase[],
): string[] {
  const moves = new Map<string, string[]>();
  for (const { name, input, verdicts } of judged) {
    const before = cases[name];
    if (before?.input !== input) continue;
    const were = before.verdicts.split(',');
    for (const [index, id] of Object.keys(revisions).entries()) {
      const is = verdicts.get(id);
      if (is === undefined || is === were[index]) continue;
      moves.set(id, [...(moves.get(id) ?? []), `${name} (${were[index]}, now ${is})`]);
    }
  }
  return checks.flatMap(({ id, revision }) => {
    const was = revisions[id];
    if (was === undefined || revision === was + 1) return [];
    if (revision !== was)
      return `${id} had revision ${was} in ${release}: the next one is ${was + 1}, not ${revision}.`;
    const moved = moves.get(id) ?? [];
    if (moved.length === 0) return [];
    return (
      `${id} judges ${describeCases(moved)} differently than ${release}: set "revision" in ` +
      `src/scanner/checks/${id.toLowerCase()}.ts to ${was + 1}.`
    );
  });
}

const NAMED_MAX = 3;

function describeCases(cases: readonly string[]): string {
  const more = cases.length - NAMED_MAX;
  return cases.slice(0, NAMED_MAX).join('; ') + (more > 0 ? `; and ${more} more` : '');
}
