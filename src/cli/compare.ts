import { readFile } from 'node:fs/promises';
import { getDomain } from 'tldts';
import { compareFindings, type Comparison } from '../scanner/report/comparison.js';
import type { SampledPages } from '../scanner/artifacts/chosen-pages.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { InputError } from '../platform/input-error.js';
import { isLabel } from '../platform/label.js';
import { parseJson } from './files.js';
import type { EarlierRun, ScanDocument } from './public-types.js';
import { RESULTS } from '../scanner/verdict/vocabulary.js';

/**
 * Validates an earlier report and returns what a comparison reads. The report may come from an untrusted author, so every value that is
 * shown must match its grammar; otherwise it could inject text.
 * @returns null if it is not a report
 */
export function toEarlierRun(report: unknown): EarlierRun | null {
  if (!isObject(report)) return null;
  const { site, run, findings, pages } = report;
  if (!isAbsentOr(site, isSite) || !isAbsentOr(run, isRun) || !isAbsentOr(pages, areSampled)) return null;
  if (!Array.isArray(findings) || !findings.every(isJudged)) return null;
  return {
    ...(site && { site: { hostname: site.hostname, judgedAs: site.judgedAs } }),
    ...(run && {
      run: { score: run.score, finishedAt: run.finishedAt, ...(run.label !== undefined && { label: run.label }) },
    }),
    findings: findings.map(({ checkId, result }) => ({ checkId, result })),
    ...(pages && { pages }),
  };
}

const isSite = (value: unknown): value is NonNullable<EarlierRun['site']> =>
  isObject(value) &&
  isText(value.hostname, /^[a-z0-9.:[\]-]{1,300}$/i) &&
  URL.parse(`http://${value.hostname}`) !== null &&
  (value.judgedAs === undefined ||
    (isText(value.judgedAs, /^https?:\/\/[a-z0-9.:[\]-]{1,300}$/i) && URL.parse(value.judgedAs) !== null));

const isRun = (value: unknown): value is NonNullable<EarlierRun['run']> =>
  isObject(value) &&
  (value.score === null || (Number.isInteger(value.score) && Number(value.score) >= 0 && Number(value.score) <= 100)) &&
  isText(value.finishedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d/) &&
  (value.label === undefined || (typeof value.label === 'string' && isLabel(value.label)));

/** These are compared, but never shown. */
const areSampled = (value: unknown): value is SampledPages =>
  isObject(value) &&
  Array.isArray(value.chosen) &&
  value.chosen.every((page) => isObject(page) && typeof page.path === 'string' && typeof page.came === 'string');

const isJudged = (value: unknown): value is EarlierRun['findings'][number] =>
  isObject(value) &&
  isText(value.checkId, /^C-[A-Z]+-\d+$/) &&
  typeof value.result === 'string' &&
  Object.hasOwn(RESULTS, value.result);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown, grammar: RegExp): value is string {
  return typeof value === 'string' && grammar.test(value);
}

function isAbsentOr<T>(value: unknown, is: (value: unknown) => value is T): value is T | undefined {
  return value === undefined || is(value);
}

export interface ScanComparison extends Comparison {
  readonly earlier: EarlierRun;
}

/**
 * Reads the output of `scan --format json` or `--save`, or a response of the API.
 * @throws InputError if the file cannot be read, has none of these forms, or is the report of another site than `site`
 */
export async function readEarlierScan(path: string, site: ScanDocument['site']): Promise<EarlierRun> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new InputError(`--compare: ${path} cannot be read. Give the report that an earlier "scan --save" wrote.`);
  });
  const earlier = toEarlierRun(parseJson(text));
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

/** Returns the domains of the scanned host and of the site that it was judged as. Deployments at one hosting provider share a domain. */
function domainsOf({ hostname, judgedAs }: NonNullable<EarlierRun['site']>): readonly string[] {
  const hosts = [`http://${hostname}`, judgedAs ?? []].flat().map((origin) => new URL(origin).hostname);
  return hosts.map((host) => getDomain(host) ?? host);
}

export function compareScans(
  earlier: EarlierRun,
  now: { readonly findings: readonly Finding[]; readonly pages?: SampledPages | null },
): ScanComparison {
  return { ...compareFindings([earlier], now), earlier };
}
