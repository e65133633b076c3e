import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Finding } from '../domain/finding.js';
import { InputError } from '../domain/input-error.js';
import { RESULTS, type Result } from '../domain/vocabulary.js';

type EarlierFinding = Pick<Finding, 'checkId' | 'result'>;

const earlierScan = z.object({
  findings: z.array(z.object({ checkId: z.string(), result: z.enum(Object.keys(RESULTS) as [Result, ...Result[]]) })),
});

/**
 * Reads what `scan --format json` wrote, or an answer of the API.
 * @throws InputError when the file cannot be read or is neither
 */
export async function readEarlierFindings(path: string): Promise<readonly EarlierFinding[]> {
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
