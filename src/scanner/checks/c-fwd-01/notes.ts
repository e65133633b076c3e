import type { Preferences } from '../../artifacts/preferences.js';
import { count, joinSafeText, listSafeText, type SafeText, safeText, term } from '../../artifacts/safe-text.js';
import { defineNote } from '../../verdict/note-rule.js';
import { parseContentUsage, type UsageLabel } from '../../parsers/content-usage.js';
import type { ContentSignal } from '../../parsers/header-values.js';
import { isNoAi } from '../../parsers/robots-tags.js';
import { type Field, signalsOf, siteFields } from '../preferences/site-fields.js';

/** How many faults a note names. */
const FAULTS_MAX = 3;

/** The labels of Content-Usage, and the signals that mean nearly the same. */
const PAIRS: readonly { readonly label: UsageLabel; readonly signal: ContentSignal; readonly text: SafeText }[] = [
  { label: 'train-ai', signal: 'ai-train', text: term('train-ai against ai-train') },
  { label: 'ai-use', signal: 'ai-input', text: term('ai-use against ai-input') },
  { label: 'search', signal: 'search', text: term('search') },
];

/** About agent skills and preferences for AI use. The vocabularies differ, so one against another is not a defect. */
export const cFwd01Notes = [
  defineNote({
    id: 'agent-skills-index',
    standard: 'agent-skills',
    uses: ['agentSkills'],
    observe: ({ agentSkills }) => {
      const problems = agentSkills?.problems ?? [];
      if (problems.length > 0) {
        const rest = problems.length - FAULTS_MAX;
        const more = rest > 0 ? safeText`, and has ${count(rest, 'more fault', 'more faults')}` : safeText``;
        return safeText`The index of agent skills ${joinSafeText(problems.slice(0, FAULTS_MAX), '; ')}${more}: clients may leave it or parts of it.`;
      }
      if (agentSkills?.place === 'legacy')
        return safeText`The index of agent skills is at /.well-known/skills/, where version 0.2.0 no longer looks: publish it at /.well-known/agent-skills/index.json.`;
      return agentSkills?.place === 'current' && agentSkills.schema === 'foreign'
        ? safeText`The index of agent skills names no version of the standard in "$schema", so clients leave it: name the schema of version 0.2.0.`
        : null;
    },
  }),
  defineNote({
    id: 'agent-skills-file',
    standard: 'agent-skills',
    uses: ['agentSkills'],
    observe: ({ agentSkills }) => {
      switch (agentSkills?.firstFile) {
        case 'wrong':
          return safeText`The file of the first agent skill that the index describes has another SHA-256 digest than the index says, so clients refuse it: renew the digest.`;
        case 'gone':
          return safeText`The file of the first agent skill that the index describes is not at its address: publish it, or take it out of the index.`;
        default:
          return null;
      }
    },
  }),
  defineNote({
    id: 'usage-against-signal',
    standard: 'aipref-vocabulary',
    uses: ['home', 'robots'],
    observe: ({ home, robots }) => {
      const opposed = PAIRS.filter((pair) =>
        [siteFields(robots), home?.preferenceHeaders ?? []].some((fields) => isOpposed(fields, pair)),
      );
      if (opposed.length === 0) return null;
      return safeText`Content-Usage and Content-Signal say the opposite of each other (${listSafeText(opposed.map(({ text }) => text))}): let them agree, since agents may read either.`;
    },
  }),
  defineNote({
    id: 'tdm-against-signal',
    standard: 'tdmrep',
    uses: ['home', 'robots', 'preferences'],
    observe: ({ home, robots, preferences }) => {
      const fields = [...siteFields(robots), ...(home?.preferenceHeaders ?? [])];
      if (preferences === null || !isReserved(preferences) || !signalsOf(fields, 'ai-train').has('yes')) return null;
      return safeText`TDMRep reserves the rights in text and data mining, yet Content-Signal says ai-train=yes: let them agree, since agents may read either.`;
    },
  }),
  defineNote({
    id: 'noai-alone',
    standard: 'aipref-attachment',
    uses: ['home', 'robots', 'preferences'],
    observe: ({ home, robots, preferences }) => {
      if (home === null || !isNoAi(home) || preferences === null || robots === null) return null;
      const isDeclared = preferences.reservations.length > 0 || preferences.tdmFile === 'read';
      if (isDeclared || preferences.license === 'read') return null;
      if (siteFields(robots).length > 0 || home.preferenceHeaders.length > 0) return null;
      return safeText`The home page says noai, which is part of no standard: say it with Content-Usage in robots.txt, too.`;
    },
  }),
];

function isOpposed(fields: readonly Field[], { label, signal }: (typeof PAIRS)[number]): boolean {
  const usages = fields.filter(({ field }) => field === 'content-usage').map(({ value }) => usageOf(value, label));
  const signals = signalsOf(fields, signal);
  // Either may contradict itself, which is not what this is about.
  if (signals.size !== 1 || usages.includes('n') === usages.includes('y')) return false;
  return signals.has('yes') ? usages.includes('n') : signals.has('no') && usages.includes('y');
}

function usageOf(value: string, label: UsageLabel): 'y' | 'n' | null {
  const reading = parseContentUsage(value, false);
  return reading.kind === 'read' ? (reading.preferences.get(label) ?? null) : null;
}

/** A meta counts before a header, and that before the file (TDMRep). */
function isReserved({ reservations, isSiteReserved }: Preferences): boolean {
  const decisive = reservations.find(({ place }) => place === 'meta') ?? reservations[0];
  return decisive ? decisive.reservation === '1' : isSiteReserved;
}
