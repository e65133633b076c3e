import { POLICY_TOKENS } from '../../artifacts/agents/policy-tokens.js';
import type { Home } from '../../artifacts/pages.js';
import type { PreferenceLine, RobotsFile } from '../../artifacts/robots.js';
import { lineOf, type SafeText, safeText } from '../../artifacts/safe-text.js';
import { parseContentUsage, type UsageReading } from '../../parsers/content-usage.js';
import { parseContentSignal } from '../../parsers/header-values.js';
import type { NamedGroups } from '../../parsers/robots-match.js';
import { groupsByToken } from '../../parsers/robots-match.js';
import type { Declaration } from './declaration.js';
import { isClosedTo } from './closed-path.js';

const IN_HEADER = safeText`a header of the home page`;
/** For how many lines it is asked whether their paths may be crawled; comparing more would cost more than it is worth. */
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
  let compared = 0;
  const inGroup = (tokens: readonly string[], { field, value, line }: PreferenceLine): Declaration => {
    const place = safeText`${lineOf('robots.txt', line)} of robots.txt`;
    if (field === 'content-signal') return declaredBySignal(value, place);
    const reading = parseContentUsage(value, true);
    const declared = declaredByUsage(reading, place);
    if (declared.state !== 'usable' || compared >= COMPARED_MAX) return declared;
    compared += 1;
    const path = (reading.kind === 'read' ? reading.path : null) ?? '/';
    return isClosedTo(robots, tokens, path, origin) ? { ...declared, state: 'closed' } : declared;
  };
  return [
    ...robots.looseFields.map((line) => inGroup(['*'], line)),
    ...robots.groups.flatMap(({ tokens, preferences }) => preferences.map((line) => inGroup(tokens, line))),
    ...declaredByTokens(groupsByToken(robots), POLICY_TOKENS),
  ];
}

/** A group below a policy token states a preference as soon as it has a rule. */
export function declaredByTokens(groups: Pick<NamedGroups, 'get'>, policyTokens: readonly string[]): Declaration[] {
  return policyTokens.flatMap((token) => {
    const rule = groups.get(token)?.flatMap(({ rules }) => rules.slice(0, 1))[0];
    return rule
      ? [{ name: 'a policy token', state: 'usable', place: safeText`${lineOf('robots.txt', rule.line)} of robots.txt` }]
      : [];
  });
}

function declaredBySignal(value: string, place: SafeText): Declaration {
  const { isUsable, isWhole, signals } = parseContentSignal(value);
  if (isUsable || !isWhole) return { name: 'Content-Signal', state: isUsable ? 'usable' : 'cut', place };
  const fault = signals.some((signal) => signal.value === 'y' || signal.value === 'n')
    ? safeText`Content-Signal has yes and no where Content-Usage has y and n`
    : safeText`Content-Signal sets none of search, ai-input and ai-train to yes or no`;
  return { name: 'Content-Signal', state: 'faulty', place, fault };
}

function declaredByUsage(reading: UsageReading, place: SafeText): Declaration {
  const name = 'Content-Usage';
  if (reading.kind === 'cut') return { name, state: 'cut', place };
  if (reading.kind === 'read' && reading.preferences.size > 0) return { name, state: 'usable', place };
  return { name, state: 'faulty', place, fault: describeFault(reading) };
}

function describeFault(reading: Exclude<UsageReading, { kind: 'cut' }>): SafeText {
  if (reading.kind === 'broken') {
    return safeText`Content-Usage is not a dictionary of RFC 9651, whose keys are in lower case: see byte ${reading.offset} of its value`;
  }
  switch (reading.fault) {
    case 'empty':
      return safeText`Content-Usage has no value`;
    case 'oldLabel':
      return safeText`Content-Usage has labels of an older draft; now they are train-ai, ai-use and search`;
    case 'unknownLabel':
      return safeText`Content-Usage has none of the labels train-ai, ai-use and search`;
    case 'otherValue':
      return safeText`Content-Usage has only y and n as values, without quotes`;
  }
}
