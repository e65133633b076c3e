import type { RobotsGroup, RobotsReading, RobotsRule, RobotsTxt } from '../evidence/robots.js';
import { isAllowed } from './robots-match.js';

const strictOf = new WeakMap<RobotsReading, RobotsReading>();

/**
 * The file as strict readers understand it: any record other than User-agent ends the list of names, so the rules belong to the
 * names directly above them, and names further up have a group without rules. The same object where that changes nothing.
 */
export function readStrictly(robots: RobotsReading): RobotsReading {
  const known = strictOf.get(robots);
  if (known) return known;
  const strict = robots.groups.some(isDivided) ? { groups: robots.groups.flatMap(divide) } : robots;
  strictOf.set(robots, strict);
  return strict;
}

/** Every way in which readers divide the file into records and groups. */
export function listReadings(robots: RobotsTxt): readonly RobotsReading[] {
  return [...new Set([robots, ...robots.others].flatMap((reading) => [reading, readStrictly(reading)]))];
}

/** The file as Google's published parser reads it. */
export function readAsGoogle(robots: RobotsTxt): RobotsReading {
  return alter(robots.google ?? robots, 'google');
}

/** What other crawlers may read: a charge must hold in all of it, so each reading opens whatever one of them may open. */
export function readForCharges(robots: RobotsTxt): readonly RobotsReading[] {
  return listReadings(robots).map((reading) => alter(reading, 'openest'));
}

/** The same for requests of our own: each reading bars whatever a reader may bar. */
export function readForOurselves(robots: RobotsTxt): readonly RobotsReading[] {
  return listReadings(robots).map((reading) => alter(reading, 'strictest'));
}

/** Whether every reader takes the file to allow this: the strictest reading, for requests of our own. */
export function isAllowedByAll(robots: RobotsTxt, token: string, url: URL): boolean {
  return readForOurselves(robots).every((reading) => isAllowed(reading, token, url).allowed);
}

/** Whether readers disagree on who is named above the group's rules. */
export function isDivided({ parts }: RobotsGroup): boolean {
  return parts.length > 1;
}

/**
 * How readers take rules on whose meaning they disagree. Raw characters: Google compares them as they stand, and so never finds them in
 * a URL, others encode them. The index page of a folder: Google's parser takes it, where it is allowed, for the folder itself.
 */
const ALTERATIONS = {
  google: { drops: ({ isRaw }) => isRaw === true, opensFolders: true },
  openest: { drops: ({ isRaw, allow }) => isRaw === true && !allow, opensFolders: true },
  strictest: { drops: ({ isRaw, allow }) => isRaw === true && allow, opensFolders: false },
} as const satisfies Readonly<Record<string, { drops: (rule: RobotsRule) => boolean; opensFolders: boolean }>>;
type Alteration = keyof typeof ALTERATIONS;

const alteredOf: Readonly<Record<Alteration, WeakMap<RobotsReading, RobotsReading>>> = {
  google: new WeakMap(),
  openest: new WeakMap(),
  strictest: new WeakMap(),
};

/** The same object where nothing is altered, and the same group: what is decided for it then holds for every reader of it. */
function alter(reading: RobotsReading, alteration: Alteration): RobotsReading {
  const known = alteredOf[alteration].get(reading);
  if (known) return known;
  const groups = reading.groups.map((group) => {
    const rules = alterRules(group.rules, alteration);
    return rules === group.rules ? group : { ...group, rules };
  });
  const altered = groups.some((group, at) => group !== reading.groups[at]) ? { groups } : reading;
  alteredOf[alteration].set(reading, altered);
  return altered;
}

function alterRules(rules: readonly RobotsRule[], alteration: Alteration): readonly RobotsRule[] {
  const { drops, opensFolders } = ALTERATIONS[alteration];
  if (!rules.some((rule) => drops(rule) || (opensFolders && opensFolder(rule)))) return rules;
  const kept = rules.filter((rule) => !drops(rule));
  return opensFolders ? withIndexPages(kept) : kept;
}

const INDEX_PAGE = '/index.htm';

/** Case matters, and what follows does not: index.html, index.htm?x. */
export function opensFolder({ allow, pattern }: RobotsRule): boolean {
  return allow && pattern.startsWith(INDEX_PAGE, pattern.lastIndexOf('/'));
}

/** With a rule for each folder whose index page is allowed, which opens that very path alone. */
function withIndexPages(rules: readonly RobotsRule[]): readonly RobotsRule[] {
  const folders = rules
    .filter(opensFolder)
    .map((rule): RobotsRule => ({ ...rule, pattern: `${rule.pattern.slice(0, rule.pattern.lastIndexOf('/') + 1)}$` }));
  return [...rules, ...folders];
}

/** What stands between two User-agent lines belongs to the names above it. */
function divide(group: RobotsGroup): readonly RobotsGroup[] {
  if (!isDivided(group)) return [group];
  let at = 0;
  return group.parts.map((part, index) => {
    const isLast = index === group.parts.length - 1;
    const from = at;
    const end = group.parts[index + 1]?.line ?? Infinity;
    while (at < group.preferences.length && (group.preferences[at]?.line ?? end) < end) at += 1;
    return {
      tokens: [...new Set(part.tokens)],
      parts: [part],
      rules: isLast ? group.rules : [],
      preferences: group.preferences.slice(from, at),
      // Kept for all of them: we never pause for less than a reader might.
      crawlDelayS: group.crawlDelayS,
    };
  });
}
