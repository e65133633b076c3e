import { InputError } from '../platform/errors.js';
import type { Comparison } from '../scanner/report/comparison.js';
import { PROGRAM } from '../scanner/report/program.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { Check } from '../scanner/verdict/check.js';
import type { ScanOptions } from './scan-options.js';

/** The checks to run, and the conditions for exit code 0. One unmet condition fails the command. */
export interface Conditions {
  readonly only: readonly string[] | undefined;
  readonly scoreMin: number;
  /** Ids of checks that must not fail, even if they failed before. */
  readonly mustNotFail: readonly string[];
}

/** @throws InputError if --fail-under is not a score, or an option names a check that is unknown or will not run */
export function parseConditions(
  { only, skip, failUnder = '0', failOn }: ScanOptions,
  checks: readonly Check[],
): Conditions {
  if (!/^(100|[1-9]?[0-9])$/.test(failUnder)) {
    throw new InputError('--fail-under takes a whole number from 0 to 100.');
  }
  const chosen = only === undefined ? checks.map(({ id }) => id) : parseCheckIds('--only', only, checks);
  const skipped = skip === undefined ? [] : parseCheckIds('--skip', skip, checks);
  const toRun = chosen.filter((id) => !skipped.includes(id));
  if (toRun.length === 0) throw new InputError('--skip leaves no check to run. Skip fewer.');
  const mustNotFail = failOn === undefined ? [] : parseCheckIds('--fail-on', failOn, checks);
  const notRun = mustNotFail.filter((id) => !toRun.includes(id));
  if (notRun.length > 0) {
    throw new InputError(
      `--fail-on: ${notRun.join(', ')} cannot fail, because --only or --skip leaves it out. Run it, or remove it from --fail-on.`,
    );
  }
  const isAll = only === undefined && skip === undefined;
  return { only: isAll ? undefined : toRun, scoreMin: Number(failUnder), mustNotFail };
}

/** @throws InputError if the list is empty or has an unknown id */
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

/** Describes each unmet condition. Any new failure counts as one. */
export function listShortfalls(
  { scoreMin, mustNotFail }: Conditions,
  { score, findings }: ScanReport,
  comparison: Comparison | null,
): readonly string[] {
  const failed = findings.filter(({ checkId, result }) => result === 'FAIL' && mustNotFail.includes(checkId));
  const list = (failures: readonly { readonly checkId: string }[]): string =>
    failures.map(({ checkId }) => checkId).join(', ');
  return [
    ...(score !== null && score < scoreMin ? [`the score ${score} is below ${scoreMin}`] : []),
    ...(comparison?.newFailures.length ? [`new failures: ${list(comparison.newFailures)}`] : []),
    ...(failed.length === 1 ? [`${list(failed)} fails, and --fail-on names it`] : []),
    ...(failed.length > 1 ? [`${list(failed)} fail, and --fail-on names them`] : []),
  ];
}
