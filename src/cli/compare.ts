import { readFile } from 'node:fs/promises';
import { compareFindings, type Comparison } from '../scanner/report/comparison.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { InputError } from '../platform/input-error.js';
import type { EarlierRun } from './earlier-run.js';
import { isLabel } from '../platform/label.js';
import { parseJson } from './parse-json.js';
import { RESULTS, type Result } from '../scanner/verdict/vocabulary.js';

/**
 * The file may come from an untrusted author, so every value that is shown must match its grammar; otherwise the file could inject text
 * into a report.
 */
async function loadGrammar() {
  const { z } = await import('zod');
  return z.object({
    site: z.object({ hostname: z.string().regex(/^[a-z0-9.:[\]-]{1,300}$/i) }).optional(),
    run: z
      .object({
        score: z.number().int().min(0).max(100).nullable(),
        finishedAt: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d/),
        label: z.string().refine(isLabel).optional(),
      })
      .optional(),
    findings: z.array(
      z.object({
        checkId: z.string().regex(/^C-[A-Z]+-\d+$/),
        result: z.enum(Object.keys(RESULTS) as [Result, ...Result[]]),
      }),
    ),
  });
}

/** What changed, and since which scan. */
export interface ScanComparison extends Comparison {
  readonly earlier: EarlierRun;
}

/**
 * Reads the output of `scan --format json` or `--save`, or a response of the API.
 * @throws InputError when the file cannot be read or has none of these forms
 */
export async function readEarlierScan(path: string): Promise<EarlierRun> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new InputError(`--compare: ${path} cannot be read. Give the report that an earlier "scan --save" wrote.`);
  });
  const result = (await loadGrammar()).safeParse(parseJson(text));
  if (!result.success) {
    throw new InputError(`--compare: ${path} is not a report written by "scan --save".`);
  }
  return result.data;
}

export function compareScans(earlier: EarlierRun, findings: readonly Finding[]): ScanComparison {
  return { ...compareFindings([earlier.findings], findings), earlier };
}
