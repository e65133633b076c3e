import { remember } from '../../net/keyed.js';
import type { RobotsGroup, RobotsNames, RobotsRule } from '../artifacts/robots.js';

const NONE: readonly never[] = [];

/**
 * Holds once what the readings of one file have in common, since a hostile file may have fifty thousand groups, and six readings. Two
 * rules or groups are one object where all that they say is equal.
 */
export class SharedParts {
  readonly #rulesAt = new Map<number, RobotsRule[]>();
  readonly #groupsAt = new Map<number, RobotsGroup[]>();

  /** The equal rule of an earlier reading, else this one. */
  rule(rule: RobotsRule): RobotsRule {
    const known = remember(this.#rulesAt, rule.line, () => []);
    const same = known.find((other) => isSameRule(other, rule));
    if (same) return same;
    known.push(rule);
    return rule;
  }

  /** The equal group of an earlier reading, else this one, with the lists that are equal there; its rules are shared already. */
  group({ crawlDelayS, ...own }: RobotsGroup): RobotsGroup {
    const known = remember(this.#groupsAt, own.parts[0]?.line ?? 0, () => []);
    const tokens = shareList(
      own.tokens,
      known.map((other) => other.tokens),
    );
    const parts = shareList(
      own.parts.map((part) => ({ ...part, tokens: shareList(part.tokens, [tokens]) })),
      known.map((other) => other.parts),
      isSamePart,
    );
    const rules = shareList(
      own.rules,
      known.map((other) => other.rules),
    );
    const preferences = shareList(
      own.preferences,
      known.map((other) => other.preferences),
      (one, other) => one.value === other.value && one.line === other.line && one.nameCount === other.nameCount,
    );
    const group = { tokens, parts, rules, preferences, crawlDelayS };
    const same = known.find((other) => isMadeOf(other, group));
    if (same) return same;
    known.push(group);
    return group;
  }
}

function isSameRule(one: RobotsRule, other: RobotsRule): boolean {
  return one.allow === other.allow && one.pattern === other.pattern && one.isRaw === other.isRaw;
}

function isSamePart(one: RobotsNames, other: RobotsNames): boolean {
  return one.line === other.line && isSameList(one.tokens, other.tokens);
}

function isMadeOf(group: RobotsGroup, lists: RobotsGroup): boolean {
  return (
    group.tokens === lists.tokens &&
    group.parts === lists.parts &&
    group.rules === lists.rules &&
    group.preferences === lists.preferences &&
    group.crawlDelayS === lists.crawlDelayS
  );
}

type IsSame<T> = (one: T, other: T) => boolean;

/** One of the known lists; else a copy, since a list that has grown has room for more. */
function shareList<T>(
  own: readonly T[],
  known: readonly (readonly T[])[],
  isSame: IsSame<T> = Object.is,
): readonly T[] {
  if (own.length === 0) return NONE;
  return known.find((list) => isSameList(list, own, isSame)) ?? own.slice();
}

/** Whether both have the same items in the same order. */
export function isSameList<T>(some: readonly T[], others: readonly T[], isSame: IsSame<T> = Object.is): boolean {
  if (some === others) return true;
  // Both have as many, so there is one at each place.
  return some.length === others.length && some.every((item, at) => isSame(item, others[at] as T));
}
