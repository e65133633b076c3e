import type { Recording } from '../../src/scanner/trace/recording.js';
import { replayScan } from '../../src/scanner/scan/recorded-scan.js';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import type { CorpusCase } from '../corpus/case.js';
import { toFixtureSite } from '../support/corpus.js';
import { scanFixture } from '../support/golden.js';
import { recordFixture } from '../support/recorded.js';
import { toCase } from './to-case.js';
import { readKnownWords } from './vocabulary.js';

/** What a check finds on the recorded site, and on the case that was made of it. */
export interface FixtureRow {
  readonly checkId: string;
  readonly before: string;
  readonly after: string;
}

/** A case that holds what stays of the recorded findings, and all of them before and after. */
export async function makeFixture(
  recording: Recording,
  id: string,
): Promise<{ readonly corpusCase: CorpusCase; readonly rows: readonly FixtureRow[] }> {
  const { report } = await replayScan(recording);
  const made = await toCase(recording, id, readKnownWords());
  const site = toFixtureSite({ ...made, expect: {} });
  const { isOwnershipVerified } = recording.run;
  const after = resultsOf((await recordFixture(site, { isOwnershipVerified })).report);
  const inCorpus = resultsOf(await scanFixture(site));
  const before = resultsOf(report);
  const rows = [...before].map(([checkId, result]) => ({ checkId, before: result, after: after.get(checkId) ?? '' }));
  // The tests of the corpus scan every case as its owner would.
  const expect = [...before].filter(
    ([checkId, result]) => after.get(checkId) === result && inCorpus.get(checkId) === result,
  );
  return { corpusCase: { ...made, expect: Object.fromEntries(expect) }, rows };
}

function resultsOf({ findings }: ScanReport): Map<string, string> {
  return new Map(
    findings.map(({ checkId, result, errorType }) => [checkId, errorType ? `${result} ${errorType}` : result]),
  );
}
