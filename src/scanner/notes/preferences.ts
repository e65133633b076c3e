import { isMarkdown } from '../evidence/markdown.js';
import type { Preferences } from '../evidence/preferences.js';
import type { Outcome } from '../evidence/resource.js';
import type { PreferenceLine, RobotsFile } from '../evidence/robots.js';
import { listSafeText, type SafeText, safeText, term } from '../evidence/safe-text.js';
import { parseContentUsage, type UsageLabel } from '../parse/content-usage.js';
import { CONTENT_SIGNALS, type ContentSignal, parseContentSignal } from '../parse/header-values.js';
import { groupsByToken } from '../parse/robots-match.js';
import { isNoAi } from '../parse/robots-tags.js';
import { defineNote } from './note.js';

/** The labels of Content-Usage, and the signals that mean nearly the same. */
const PAIRS: readonly { readonly label: UsageLabel; readonly signal: ContentSignal; readonly text: SafeText }[] = [
  { label: 'train-ai', signal: 'ai-train', text: term('train-ai against ai-train') },
  { label: 'ai-use', signal: 'ai-input', text: term('ai-use against ai-input') },
  { label: 'search', signal: 'search', text: term('search') },
];

/** Most fields compared; no honest site has as many. */
const FIELDS_MAX = 50;

type Field = Pick<PreferenceLine, 'field' | 'value'>;

/** Notes about preferences for AI use. The vocabularies differ, so one against another is no defect. */
export const PREFERENCE_NOTES = [
  defineNote({
    id: 'usage-against-signal',
    checkId: 'C-FWD-01',
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
    checkId: 'C-FWD-01',
    standard: 'tdmrep',
    uses: ['home', 'robots', 'preferences'],
    observe: ({ home, robots, preferences }) => {
      const fields = [...siteFields(robots), ...(home?.preferenceHeaders ?? [])];
      if (preferences === null || !isReserved(preferences) || !signalsOf(fields, 'ai-train').has('yes')) return null;
      return safeText`TDMRep reserves the rights in text and data mining, yet Content-Signal says ai-train=yes: let them agree, since agents may read either.`;
    },
  }),
  defineNote({
    id: 'markdown-against-robots',
    checkId: 'C-MD-01',
    standard: 'content-signals',
    uses: ['robots', 'markdown'],
    observe: ({ robots, markdown }) => {
      const replies = markdown?.pages.map((page) => page.markdown).filter(isMarkdown) ?? [];
      const sent = replies.flatMap(({ contentSignals }) => contentSignals).slice(0, FIELDS_MAX);
      const inReplies = sent.map((value) => ({ field: 'content-signal', value }) as const);
      const inRobots = siteFields(robots);
      const allowed = CONTENT_SIGNALS.filter((signal) => {
        const said = signalsOf(inRobots, signal);
        return said.has('no') && !said.has('yes') && signalsOf(inReplies, signal).has('yes');
      });
      if (allowed.length === 0) return null;
      return safeText`The Markdown answers carry a Content-Signal that says yes where robots.txt says no (${listSafeText(allowed.map((signal) => term(signal)))}): some services that convert pages add it, so set it there, too.`;
    },
  }),
  defineNote({
    id: 'noai-alone',
    checkId: 'C-FWD-01',
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

/** The preferences of robots.txt that hold for every agent on the whole site. */
function siteFields(robots: Outcome<RobotsFile> | null): Field[] {
  if (robots?.kind !== 'present' || robots.value.file.isHtml) return [];
  const groups = groupsByToken(robots.value.robots).get('*') ?? [];
  const fields = groups.flatMap(({ preferences }) => preferences);
  return fields.filter(({ value }) => !value.startsWith('/')).slice(0, FIELDS_MAX);
}

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

function signalsOf(fields: readonly Field[], signal: ContentSignal): ReadonlySet<string> {
  const values = fields.filter(({ field }) => field === 'content-signal').map(({ value }) => parseContentSignal(value));
  const whole = values.filter(({ path }) => path === null).flatMap(({ signals }) => signals);
  return new Set(whole.filter(({ name }) => name === signal).map(({ value }) => value));
}

/** A meta counts before a header, and that before the file (TDMRep). */
function isReserved({ reservations, isSiteReserved }: Preferences): boolean {
  const decisive = reservations.find(({ place }) => place === 'meta') ?? reservations[0];
  return decisive ? decisive.reservation === '1' : isSiteReserved;
}
