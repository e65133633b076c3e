import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { InputError } from '../domain/input-error.js';
import { RESULTS, type Result } from '../domain/vocabulary.js';

/** How the findings differ from an earlier scan's, as check ids. */
export interface Comparison {
  /** FAIL now, and not before. */
  readonly newFailures: readonly string[];
  /** FAIL before, and PASS now. */
  readonly fixed: readonly string[];
  /** The same result as before. */
  readonly unchanged: readonly string[];
  /** Any other change, such as PASS to UNDETERMINED. */
  readonly changed: readonly string[];
}

interface Judged {
  readonly checkId: string;
  readonly result: Result;
}

const earlierScan = z.object({
  findings: z.array(z.object({ checkId: z.string(), result: z.enum(Object.keys(RESULTS) as [Result, ...Result[]]) })),
});

/**
 * Reads what `scan --format json` wrote, or an answer of the API.
 * @throws InputError when the file cannot be read or is neither
 */
export async function readEarlierFindings(path: string): Promise<readonly Judged[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new InputError(
      `--compare: ${path} cannot be read. Give the file that an earlier "scan --format json" wrote.`,
    );
  });
  const result = earlierScan.safeParse(parseJson(text));
  if (!result.success) {
    throw new InputError(`--compare: ${path} is not what "scan --format json" writes.`);
  }
  return result.data.findings;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function compareFindings(before: readonly Judged[], now: readonly Judged[]): Comparison {
  const earlier = new Map(before.map(({ checkId, result }) => [checkId, result]));
  const idsWhere = (test: (now: Result, before: Result | undefined) => boolean): string[] =>
    now.filter(({ checkId, result }) => test(result, earlier.get(checkId))).map(({ checkId }) => checkId);
  const newFailures = idsWhere((result, was) => result === 'FAIL' && was !== 'FAIL');
  const fixed = idsWhere((result, was) => result === 'PASS' && was === 'FAIL');
  const unchanged = idsWhere((result, was) => result === was);
  const named = new Set([...newFailures, ...fixed, ...unchanged]);
  return { newFailures, fixed, unchanged, changed: idsWhere(() => true).filter((id) => !named.has(id)) };
}
