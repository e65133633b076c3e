import { readFile } from 'node:fs/promises';
import { getDomain } from 'tldts';
import { z } from 'zod';
import { compareFindings, type Comparison } from '../scanner/report/comparison.js';
import type { SampledPages } from '../scanner/artifacts/pages.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { InputError } from '../platform/errors.js';
import { isLabel } from '../platform/label.js';
import { parseJsonOrNull } from './files.js';
import type { EarlierRun, ScanDocument } from './public-types.js';
import { RESULTS, type Result } from '../scanner/verdict/vocabulary.js';

const host = z
  .string()
  .regex(/^[a-z0-9.:[\]-]{1,300}$/i)
  .refine((text) => URL.parse(`http://${text}`) !== null);
const origin = z
  .string()
  .regex(/^https?:\/\/[a-z0-9.:[\]-]{1,300}$/i)
  .refine((text) => URL.parse(text) !== null);
const run = z.object({
  score: z.int().min(0).max(100).nullable(),
  finishedAt: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d/),
  label: z.string().refine(isLabel).optional(),
});
const finding = z.object({
  checkId: z.string().regex(/^C-[A-Z]+-\d+$/),
  result: z.enum(Object.keys(RESULTS) as Result[]),
});
/** Paths are compared, never shown. */
const page = z.object({ path: z.string(), isRead: z.boolean() });

/** Reports are untrusted: every value that is shown must match its pattern, so that it cannot inject text. */
const EARLIER_RUN = z.object({
  site: z.object({ hostname: host, judgedAs: origin.optional() }).optional(),
  run: run.optional(),
  findings: z.array(finding),
  pages: z.object({ chosen: z.array(page) }).optional(),
});

export function toEarlierRun(report: unknown): EarlierRun | null {
  return EARLIER_RUN.safeParse(report).data ?? null;
}

export interface ScanComparison extends Comparison {
  readonly earlier: EarlierRun;
}

/**
 * Reads the output of `scan --format json` or `--save`, or a response of the API.
 * @throws InputError if the file is unreadable, is not one of these, or is about another site
 */
export async function readEarlierScan(path: string, site: ScanDocument['site']): Promise<EarlierRun> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new InputError(`--compare: ${path} cannot be read. Name a report that "scan --save" wrote earlier.`);
  });
  const earlier = toEarlierRun(parseJsonOrNull(text));
  if (!earlier) throw new InputError(`--compare: ${path} is not a report written by "scan --save".`);
  if (earlier.site && !domainsOf(earlier.site).some((domain) => domainsOf(site).includes(domain))) {
    const { hostname } = earlier.site;
    throw new InputError(
      `--compare: ${path} is the report of ${hostname}, not of ${site.hostname}. ` +
        `If you are scanning a preview of ${hostname}, add --as https://${hostname}.`,
    );
  }
  return earlier;
}

/** Returns the registrable domains of the scanned host and of the site that it was judged as. */
function domainsOf({ hostname, judgedAs }: NonNullable<EarlierRun['site']>): readonly string[] {
  const hosts = [`http://${hostname}`, judgedAs ?? []].flat().map((origin) => new URL(origin).hostname);
  return hosts.map((host) => getDomain(host) ?? host);
}

export function compareScans(
  earlier: EarlierRun,
  current: { readonly findings: readonly Finding[]; readonly pages?: SampledPages | null },
): ScanComparison {
  return { ...compareFindings([earlier], current), earlier };
}
