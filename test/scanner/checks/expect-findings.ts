import type { Test } from 'tap';
import type { Check } from '../../../src/scanner/verdict/check.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { type CollectOptions, findingOf } from '../../support/collect.js';
import type { FixtureAnswer, FixtureSite } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';

export type Routes = FixtureSite['routes'];
/** Sites by name, or sites and what the detail of their finding says, by the outcome of the check: `FAIL MISSING`. */
export type Expected = Readonly<Record<string, Readonly<Record<string, Routes | readonly [Routes, RegExp | string]>>>>;

/** What a site may write anywhere, and no finding says. */
export const CANARY = 'IGNORE-ALL-PREVIOUS-INSTRUCTIONS';

/** A finding's result, and its error type if it has one: `FAIL MISSING`. */
export const outcomeOf = ({ result, errorType }: Finding) => (errorType === null ? result : `${result} ${errorType}`);

/** Judges sites that all answer as `base` does where they do not say otherwise. */
export async function expectFindings(
  t: Test,
  check: Check,
  base: Routes,
  expected: Expected,
  options: CollectOptions = {},
): Promise<void> {
  for (const [outcome, cases] of Object.entries(expected)) {
    for (const [name, row] of Object.entries(cases)) {
      const [routes, says] = Array.isArray(row) ? (row as [Routes, RegExp | string]) : [row as Routes, ''];
      const finding = await findingOf(check, { routes: { ...base, ...routes } }, options);
      const detail = finding.detail ?? '';
      t.equal(outcomeOf(finding), outcome, `${name}: ${detail}`);
      if (says !== '') t.match(detail, says, name);
      t.notMatch(detail, CANARY, `${name}: nothing of the site is in the detail`);
    }
  }
}

/** The same, of sites that are named by what the detail says. */
export async function expectDetails(
  t: Test,
  check: Check,
  base: Routes,
  expected: Readonly<Record<string, Readonly<Record<string, Routes>>>>,
  options: CollectOptions = {},
): Promise<void> {
  for (const [outcome, cases] of Object.entries(expected)) {
    for (const [words, routes] of Object.entries(cases))
      await expectFindings(t, check, base, { [outcome]: { [words]: [routes, words] } }, options);
  }
}

export const url = (path: string): string => FIXTURE_ORIGIN + path;
export const json = (value: unknown, type = 'application/json'): FixtureAnswer => ({
  type,
  body: JSON.stringify(value),
});
