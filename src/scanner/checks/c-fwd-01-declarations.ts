import type { Home, Preferences } from '../artifacts/pages.js';
import type { PreferenceLine, RobotsFile, RobotsTxt } from '../artifacts/robots.js';
import { lineOf, safeText, type SafeText } from '../artifacts/safe-text.js';
import { parseContentUsage, type UsageReading, parseContentSignal } from '../parsers/headers.js';
import { decide, groupsFor } from '../parsers/robots.js';

/** A preference for AI use. */
export interface Declaration {
  readonly name: 'Content-Signal' | 'Content-Usage' | 'TDMRep' | 'RSL';
  /**
   * cut: too long to be read whole. closed: it is for paths that may not be crawled, so it does not exist
   * (draft-ietf-aipref-attach-05).
   */
  readonly state: 'usable' | 'faulty' | 'cut' | 'closed';
  readonly place: SafeText;
  /** What is wrong, if it is faulty. */
  readonly fault: SafeText;
}

const IN_HEADER = safeText`a header of the home page`;
/** Lines whose paths are compared with the rules at most. */
const COMPARED_MAX = 100;

/** The preferences of the home page's header fields. All Content-Usage fields are one dictionary (RFC 9651 §4.2). */
export function declaredInHeaders({ preferenceHeaders }: Home): Declaration[] {
  const valuesOf = (name: PreferenceLine['field']): string[] =>
    preferenceHeaders.filter(({ field }) => field === name).map(({ value }) => value);
  const usage = valuesOf('content-usage');
  return [
    ...valuesOf('content-signal').map((value) => declaredBySignal(value, IN_HEADER)),
    ...(usage.length > 0 ? [declaredByUsage(parseContentUsage(usage.join(', '), false), IN_HEADER)] : []),
  ];
}

/** The preferences of robots.txt, outside of groups and in them. */
export function declaredInRobots({ origin, robots }: RobotsFile): Declaration[] {
  const groups = [{ tokens: ['*'], preferences: robots.ungroupedPreferences }, ...robots.groups.rfc];
  const lines = groups.flatMap(({ tokens, preferences }) => preferences.map((line) => ({ ...line, tokens })));
  return lines.map(({ field, value, line, tokens }, index): Declaration => {
    const place = safeText`${lineOf('robots.txt', line)} of robots.txt`;
    if (field === 'content-signal') return declaredBySignal(value, place);
    const reading = parseContentUsage(value, true);
    const declared = declaredByUsage(reading, place);
    if (declared.state !== 'usable' || index >= COMPARED_MAX) return declared;
    const path = (reading.kind === 'read' ? reading.path : null) ?? '/';
    return isClosedTo(robots, tokens, path, origin) ? { ...declared, state: 'closed' } : declared;
  });
}

function declaredBySignal(value: string, place: SafeText): Declaration {
  const { isUsable, isWhole } = parseContentSignal(value);
  const unusable = isWhole ? 'faulty' : 'cut';
  return { name: 'Content-Signal', state: isUsable ? 'usable' : unusable, place, fault: NO_SIGNAL };
}

const NO_SIGNAL = safeText`Content-Signal sets none of search, ai-input and ai-train to yes or no`;
const NO_USAGE = safeText`Content-Usage sets none of train-ai, ai-use and search to y or n`;
const NO_DICTIONARY = safeText`Content-Usage is not a valid RFC 9651 dictionary, which has lower-case keys`;

function declaredByUsage(reading: UsageReading, place: SafeText): Declaration {
  const name = 'Content-Usage';
  if (reading.kind !== 'read') {
    return { name, state: reading.kind === 'cut' ? 'cut' : 'faulty', place, fault: NO_DICTIONARY };
  }
  return { name, state: reading.preferences.size > 0 ? 'usable' : 'faulty', place, fault: NO_USAGE };
}

/** The preferences by TDMRep and RSL. A file that could not be read declares nothing. */
export function declaredInFiles({ reservations, tdmFile, license }: Preferences): Declaration[] {
  const declared: Declaration[] = reservations.map(({ place, reservation }) => ({
    name: 'TDMRep',
    state: reservation === 'other' ? 'faulty' : 'usable',
    place: place === 'header' ? IN_HEADER : safeText`a meta tag of the home page`,
    fault: safeText`tdm-reservation is neither 0 nor 1`,
  }));
  const files = [
    { name: 'TDMRep', file: tdmFile, place: safeText`/.well-known/tdmrep.json`, fault: NO_TDM_RULE },
    { name: 'RSL', file: license, place: LICENSE, fault: safeText`it is not an RSL document in XML` },
  ] as const;
  for (const { file, ...declaration } of files) {
    if (file === 'read') declared.push({ ...declaration, state: 'usable' });
    else if (file === 'malformed') declared.push({ ...declaration, state: 'faulty' });
  }
  return declared;
}

const NO_TDM_RULE = safeText`it is not an array of rules with a location and a tdm-reservation of 0 or 1`;
/** Where a license of RSL is. */
export const LICENSE = safeText`the license that robots.txt or the home page links to`;

/** Names of a group that are compared at most. */
const TOKENS_MAX = 5;

/**
 * True if none of these agents may crawl anything at or below `path`, where no preference exists (draft-ietf-aipref-attach-05). False if
 * that is uncertain.
 */
function isClosedTo(robots: RobotsTxt, tokens: readonly string[], path: string, origin: URL): boolean {
  if (tokens.length === 0 || tokens.length > TOKENS_MAX) return false;
  // The part before a wildcard covers every path that the whole pattern matches.
  const url = URL.parse(origin.origin + path.replace(/[*$].*$/s, ''), origin);
  return url !== null && tokens.every((token) => isClosed(robots, token, url));
}

/** True if the deciding rule disallows the path and everything below, and no Allow is long enough to make an exception. */
function isClosed(robots: RobotsTxt, token: string, url: URL): boolean {
  const groups = groupsFor(robots.groups.rfc, token);
  const { rule, isCertain } = decide(groups, url);
  if (rule === null || rule.allow || !isCertain || rule.pattern.endsWith('$')) return false;
  return !groups.some(({ rules }) =>
    rules.some(({ allow, pattern }) => allow && pattern.length >= rule.pattern.length),
  );
}
