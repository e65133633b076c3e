import type { Outcome } from '../../artifacts/resource.js';
import { type PreferenceLine, readableRobots, type RobotsFile } from '../../artifacts/robots.js';
import { type ContentSignal, parseContentSignal } from '../../parsers/header-values.js';
import { groupsByToken } from '../../parsers/robots-match.js';

/** Most fields compared; no honest site has as many. */
export const FIELDS_MAX = 50;

export type Field = Pick<PreferenceLine, 'field' | 'value'>;

/** The preferences of robots.txt that hold for every agent on the whole site. */
export function siteFields(robots: Outcome<RobotsFile> | null): Field[] {
  const groups = groupsByToken(readableRobots(robots)?.robots ?? { groups: [] }).get('*') ?? [];
  const fields = groups.flatMap(({ preferences }) => preferences);
  return fields.filter(({ value }) => !value.startsWith('/')).slice(0, FIELDS_MAX);
}

/** The values that fields for the whole site give a signal. */
export function signalsOf(fields: readonly Field[], signal: ContentSignal): ReadonlySet<string> {
  const values = fields.filter(({ field }) => field === 'content-signal').map(({ value }) => parseContentSignal(value));
  const whole = values.filter(({ path }) => path === null).flatMap(({ signals }) => signals);
  return new Set(whole.filter(({ name }) => name === signal).map(({ value }) => value));
}
