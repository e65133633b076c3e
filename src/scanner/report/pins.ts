import { perObject } from '../../net/keyed.js';
import { checkOf } from './failures.js';
import { CHECKS } from '../checks/index.js';
import type { Finding } from '../verdict/finding.js';
import type { Pillar, Result } from '../verdict/vocabulary.js';

/** How one check stands: its result, or WAITING where there is none yet. */
export type PinState = Result | 'WAITING';

/** One check in the row of all checks. A pin is always a result: what a page cannot find is a gap in the row, not a failure. */
export interface Pin {
  readonly checkId: string;
  readonly title: string;
  readonly scored: boolean;
  readonly state: PinState;
}

/** The pins of one pillar; those of the last group look ahead. */
export interface PinGroup {
  readonly pillar: Pillar | null;
  /** In one or two words. */
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

/** What a group of checks is called on pages and reports. */
export function groupNameOf(pillar: Pillar | null): string {
  return GROUP_NAMES[pillar ?? 'none'];
}

/** In one word; its id where it was retired since. */
export function shortNameOf(checkId: string): string {
  return checkOf(checkId)?.shortName ?? checkId;
}

/** The registry's checks by pillar, in its order. */
const GROUPS = [...Map.groupBy(CHECKS, ({ pillar }): Pillar | null => pillar)];

/** All checks as pins, always in the registry's order, by pillar. @param findings of one run; a check without one is waiting */
export const pinGroupsOf = perObject(
  (findings: readonly Pick<Finding, 'checkId' | 'result'>[]): readonly PinGroup[] => {
    const results = new Map(findings.map(({ checkId, result }) => [checkId, result]));
    return GROUPS.map(([pillar, checks]) => ({
      pillar,
      name: groupNameOf(pillar),
      pins: checks.map(({ id, title, scored }) => ({
        checkId: id,
        title,
        scored,
        state: results.get(id) ?? 'WAITING',
      })),
    }));
  },
);

/** The pins of a site that has no run. */
export const WAITING_PINS: readonly PinGroup[] = pinGroupsOf([]);

/** The pins of a run without a score, where nothing else is known of it: no check that is scored was judged. */
export const UNJUDGED_PINS: readonly PinGroup[] = pinGroupsOf(
  CHECKS.map(({ id }) => ({ checkId: id, result: 'UNDETERMINED' })),
);

/** By state: in Unicode, in ASCII. A failure has dropped through the line. */
const PIN_CHARACTERS: Readonly<Record<PinState, readonly [unicode: string, ascii: string]>> = {
  PASS: ['┃', '|'],
  FAIL: ['╻', 'x'],
  UNDETERMINED: ['┇', '?'],
  NOT_APPLICABLE: ['·', '.'],
  WAITING: [' ', ' '],
};

/** A pin as a character. What is not scored is small where it failed: it must not look like a lost point. */
export function pinCharacter({ state, scored }: Pick<Pin, 'state' | 'scored'>, isUnicode = true): string {
  if (isUnicode && !scored && state === 'FAIL') return '╷';
  return PIN_CHARACTERS[state][isUnicode ? 0 : 1];
}

/** All of them in one line, the pillars two blanks apart. */
export function drawPins(groups: readonly PinGroup[]): string {
  return madeOf(groups)
    .map(({ pins }) => pins.map((pin) => pinCharacter(pin)).join(''))
    .join('  ');
}

const COUNTED = [
  ['PASS', 'passed'],
  ['FAIL', 'failed'],
  ['UNDETERMINED', 'undetermined'],
  ['NOT_APPLICABLE', 'not applicable'],
] as const;

/** `10 passed, 4 failed, 2 not applicable`, for those who do not see the pins. */
export const describePins = perObject((groups: readonly PinGroup[]): string => {
  const states = groups.flatMap(({ pins }) => pins.map(({ state }) => state));
  const counted = COUNTED.flatMap(([result, word]) => {
    const count = states.filter((state) => state === result).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  return counted.join(', ') || 'no result yet';
});

/** `10 passed, 3 failed. Not scored: 1 failed`: next to a score, which its first part makes. */
export function describeScored(groups: readonly PinGroup[]): string {
  const [unscored, scored] = [true, false].map((isForward) =>
    madeOf(groups).filter(({ pillar }) => (pillar === null) === isForward),
  ) as [PinGroup[], PinGroup[]];
  return `${describePins(scored)}${unscored.length > 0 ? `. Not scored: ${describePins(unscored)}` : ''}`;
}

/** Those that have a result, in the groups that are left: of a finished scan of some checks, the others were not asked for. */
export function madeOf(groups: readonly PinGroup[]): readonly PinGroup[] {
  return groups
    .map((group) => ({ ...group, pins: group.pins.filter(({ state }) => state !== 'WAITING') }))
    .filter(({ pins }) => pins.length > 0);
}

/** `4 of 6 done`: how far a scan is. */
export function describeDone({ pins }: PinGroup): string {
  return `${pins.filter(({ state }) => state !== 'WAITING').length} of ${pins.length} done`;
}

/** `5 of 6`: how many of those that apply passed; in words where nothing is counted. */
export function describeGroup({ pins, pillar }: PinGroup): string {
  if (pins.every(({ state }) => state === 'WAITING')) return `${pins.length} ${pins.length === 1 ? 'check' : 'checks'}`;
  if (pillar === null) return 'not scored';
  const applying = pins.filter(({ state }) => state !== 'NOT_APPLICABLE' && state !== 'WAITING');
  const waiting = pins.filter(({ state }) => state === 'WAITING').length;
  if (applying.length === 0) return waiting > 0 ? `${waiting} waiting` : 'none apply';
  if (applying.every(({ state }) => state === 'UNDETERMINED')) return 'not judged';
  return `${applying.filter(({ state }) => state === 'PASS').length} of ${applying.length}`;
}
