import { remember } from '../../net/keyed.js';
import type { PreferenceLine, RobotsGroup, RobotsReading, RobotsTxt } from '../artifacts/robots.js';
import { decide, groupsFor } from './robots-match.js';

/**
 * One way in which readers divide the file into records and groups. For strict readers, any record other than User-agent ends the list
 * of names, so the rules belong to the names directly above them, and names further up have a group without rules.
 */
export interface View {
  readonly reading: RobotsReading;
  readonly areNamesStrict: boolean;
}

const viewsOf = new WeakMap<RobotsTxt, readonly View[]>();

/** Every such way; that of strict readers only where it changes anything. */
export function listViews(robots: RobotsTxt): readonly View[] {
  return remember(viewsOf, robots, () =>
    [...new Set([robots, ...robots.others])].flatMap((reading) =>
      (reading.groups.some(isDivided) ? [false, true] : [false]).map((areNamesStrict) => ({ reading, areNamesStrict })),
    ),
  );
}

/** The file as Google's published parser divides it. */
export function viewOfGoogle(robots: RobotsTxt): View {
  return { reading: robots.google ?? robots, areNamesStrict: false };
}

/** The groups for a token: see {@link groupsFor}. */
export function groupsIn({ reading, areNamesStrict }: View, token: string, fallbacks: readonly string[] = []) {
  return groupsFor(reading, token, fallbacks, areNamesStrict);
}

/** Whether every reader takes the file to allow this: the strictest reading, for requests of our own. */
export function isAllowedByAll(robots: RobotsTxt, token: string, url: URL): boolean {
  return listViews(robots).every((view) => decide(groupsIn(view, token), url, 'strictest').allowed);
}

/** Whether readers disagree on who is named above the group's rules. */
export function isDivided({ parts }: RobotsGroup): boolean {
  return parts.length > 1;
}

/** Whose preferences they are: what stands between two User-agent lines belongs, for strict readers, to the names above it. */
export function dividePreferences(
  group: RobotsGroup,
  areNamesStrict: boolean,
): Pick<RobotsGroup, 'tokens' | 'preferences'>[] {
  if (!areNamesStrict || !isDivided(group)) return [group];
  return group.parts.map(({ tokens, line }, index) => {
    const [from, end] = [index === 0 ? 0 : line, group.parts[index + 1]?.line ?? Infinity];
    const isHere = ({ line: own }: PreferenceLine) => own >= from && own < end;
    return { tokens, preferences: group.preferences.filter(isHere) };
  });
}
