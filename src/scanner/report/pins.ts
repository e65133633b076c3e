import { memoizePerObject } from '../../net/keyed.js';
import { NAMES_NOT_TRIED } from '../artifacts/agent-replies.js';
import { checkOf } from './failures.js';
import { CHECKS } from '../checks/index.js';
import type { Finding } from '../verdict/finding.js';
import type { Pillar, Result } from '../verdict/vocabulary.js';

/** The state of one check: its result, or WAITING if there is none yet. */
export type PinState = Result | 'WAITING';

export interface Pin {
  readonly checkId: string;
  readonly title: string;
  readonly scored: boolean;
  readonly state: PinState;
  /** True if the check was skipped, see {@link isUntested}. */
  readonly isUntested?: boolean;
}

/** The pins of one pillar. The last group contains the checks that are not scored. */
export interface PinGroup {
  readonly pillar: Pillar | null;
  readonly name: string;
  readonly pins: readonly Pin[];
}

const GROUP_NAMES: Readonly<Record<Pillar | 'none', string>> = {
  A: 'Discovery',
  B: 'Access',
  C: 'Structured data',
  D: 'Endpoints',
  none: 'Forward',
};

export function groupNameOf(pillar: Pillar | null): string {
  return GROUP_NAMES[pillar ?? 'none'];
}

/** Returns the short name of a check, or its id if it was retired. */
export function shortNameOf(checkId: string): string {
  return checkOf(checkId)?.shortName ?? checkId;
}

export const CHECK_COUNT = CHECKS.length;

/** The registry's checks by pillar, in its order. */
const GROUPS = [...Map.groupBy(CHECKS, ({ pillar }): Pillar | null => pillar)];

type ShownFinding = Pick<Finding, 'checkId' | 'result'> & Partial<Pick<Finding, 'detail'>>;

/** True for a check that was skipped because ownership is not verified. False without the finding's detail. */
export function isUntested({ result, detail }: Pick<ShownFinding, 'result' | 'detail'>): boolean {
  return result === 'NOT_APPLICABLE' && detail === NAMES_NOT_TRIED.text;
}

/** Groups all checks by pillar, in the registry's order. A check without a finding is waiting. */
export const pinGroupsOf = memoizePerObject((findings: readonly ShownFinding[]): readonly PinGroup[] => {
  const results = new Map(findings.map(({ checkId, result }) => [checkId, result]));
  const untested = findings.filter(isUntested).map(({ checkId }) => checkId);
  return GROUPS.map(([pillar, checks]) => ({
    pillar,
    name: groupNameOf(pillar),
    pins: checks.map(({ id, title, scored }) => ({
      checkId: id,
      title,
      scored,
      state: results.get(id) ?? 'WAITING',
      ...(untested.includes(id) && { isUntested: true }),
    })),
  }));
});

export const WAITING_PINS: readonly PinGroup[] = pinGroupsOf([]);

/** The pins of a run without a score. */
export const UNJUDGED_PINS: readonly PinGroup[] = pinGroupsOf(
  CHECKS.map(({ id }) => ({ checkId: id, result: 'UNDETERMINED' })),
);

const PIN_CHARACTERS: Readonly<Record<PinState, readonly [unicode: string, ascii: string]>> = {
  PASS: ['┃', '|'],
  FAIL: ['╻', 'x'],
  UNDETERMINED: ['┇', '?'],
  NOT_APPLICABLE: ['·', '.'],
  WAITING: [' ', ' '],
};

/** Returns a pin as a character. An unscored failure is small, so that it does not look like a lost point. */
export function pinCharacter({ state, scored }: Pick<Pin, 'state' | 'scored'>, isUnicode = true): string {
  if (isUnicode && !scored && state === 'FAIL') return '╷';
  return PIN_CHARACTERS[state][isUnicode ? 0 : 1];
}

const COUNT_WORDS = [
  ['PASS', 'passed'],
  ['FAIL', 'failed'],
  ['UNDETERMINED', 'undetermined'],
  ['NOT_APPLICABLE', 'not applicable'],
] as const;

/** Counts pins in words: `10 passed, 4 failed, 2 not applicable`. */
export const describePins = memoizePerObject((groups: readonly PinGroup[]): string => {
  const states = groups.flatMap(({ pins }) => pins.map(({ state }) => state));
  const counted = COUNT_WORDS.flatMap(([result, word]) => {
    const count = states.filter((state) => state === result).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  return counted.join(', ') || 'no result yet';
});

/** Returns the groups without the checks that have no result. */
export function omitWaiting(groups: readonly PinGroup[]): readonly PinGroup[] {
  return groups
    .map((group) => ({ ...group, pins: group.pins.filter(({ state }) => state !== 'WAITING') }))
    .filter(({ pins }) => pins.length > 0);
}

/** Describes progress: `4 of 6 done`. */
export function describeDone({ pins }: PinGroup): string {
  return `${pins.filter(({ state }) => state !== 'WAITING').length} of ${pins.length} done`;
}

/** Describes a group: `5 of 6` applicable checks passed, `2 passed, 1 not tested`, or words if no check counts. */
export function describeGroup({ pins, pillar }: PinGroup): string {
  if (pins.every(({ state }) => state === 'WAITING')) return `${pins.length} ${pins.length === 1 ? 'check' : 'checks'}`;
  if (pillar === null) return 'not scored';
  const applying = pins.filter(({ state }) => state !== 'NOT_APPLICABLE' && state !== 'WAITING');
  const waiting = pins.filter(({ state }) => state === 'WAITING').length;
  if (applying.length === 0) return waiting > 0 ? `${waiting} waiting` : 'none apply';
  if (applying.every(({ state }) => state === 'UNDETERMINED')) return 'not judged';
  const passed = applying.filter(({ state }) => state === 'PASS').length;
  const untested = pins.filter((pin) => pin.isUntested).length;
  return untested > 0 ? `${passed} passed, ${untested} not tested` : `${passed} of ${applying.length}`;
}
