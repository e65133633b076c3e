import type { Check } from '../scanner/verdict/check.js';
import type { Comparison } from '../scanner/report/comparison.js';
import { InputError } from '../platform/input-error.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import { PROGRAM } from '../scanner/report/program.js';

/** Conditions for exit code 0. Each one alone can fail the scan. */
export interface Bar {
  readonly scoreMin: number;
  /** Checks that must not fail, whether or not they failed before. */
  readonly checkIds: ReadonlySet<string>;
}

/**
 * @param made the checks that the scan runs; undefined for all
 * @throws InputError if an option is not a score, or names a check that is unknown or not run
 */
export function parseBar(
  { failUnder, failOn }: { readonly failUnder?: string; readonly failOn?: string },
  checks: readonly Check[],
  made: readonly string[] | undefined,
): Bar {
  if (failUnder !== undefined && !/^(100|[1-9]?[0-9])$/.test(failUnder)) {
    throw new InputError('--fail-under takes a whole number from 0 to 100.');
  }
  const checkIds = failOn === undefined ? [] : parseCheckIds('--fail-on', failOn, checks);
  const notMade = checkIds.filter((id) => made?.includes(id) === false);
  if (notMade.length > 0) {
    throw new InputError(
      `--fail-on: ${notMade.join(', ')} cannot fail, since --only or --skip leaves it out. Run it, or remove it here.`,
    );
  }
  return { scoreMin: Number(failUnder ?? 0), checkIds: new Set(checkIds) };
}

/** @throws InputError if there is no id, or an unknown one */
export function parseCheckIds(option: string, value: string, checks: readonly Check[]): string[] {
  const checkIds = value
    .split(',')
    .map((id) => id.trim().toUpperCase())
    .filter((id) => id !== '');
  if (checkIds.length === 0) throw new InputError(`${option} takes the ids of checks, such as C-LLMS-01,C-BOT-01.`);
  const unknown = checkIds.filter((id) => !checks.some((check) => check.id === id));
  if (unknown.length === 0) return checkIds;
  throw new InputError(`${option}: unknown check ${unknown.join(', ')}. "${PROGRAM} checks" lists them.`);
}

/** Describes each unmet condition. A new failure is always one. */
export function listShortfalls(
  { scoreMin, checkIds }: Bar,
  { score, findings }: ScanReport,
  comparison: Comparison | null,
): readonly string[] {
  const failed = findings.filter(({ checkId, result }) => result === 'FAIL' && checkIds.has(checkId));
  const failedNewly = comparison?.newFailures ?? [];
  const list = (named: readonly { readonly checkId: string }[]): string =>
    named.map(({ checkId }) => checkId).join(', ');
  return [
    ...(score !== null && score < scoreMin ? [`the score ${score} is below ${scoreMin}`] : []),
    ...(failedNewly.length > 0 ? [`new failures: ${list(failedNewly)}`] : []),
    ...(failed.length > 0 ? [`must not fail: ${list(failed)}`] : []),
  ];
}
