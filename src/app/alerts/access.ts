import type { Answer, Assistant } from '../../scanner/artifacts/answer.js';
import { formatList } from '../../scanner/artifacts/counts.js';
import { linesOfAnswer } from '../../scanner/report/answer.js';
import type { RunSummary } from '../runs/run-rows.js';

/** How well an assistant can read a site, the best first. */
const STATES = ['open', 'partly', 'blocked'] as const;
type KnownState = (typeof STATES)[number];

/** An assistant that can read more or less of the site than before. */
export interface AccessChange {
  readonly kind: 'ACCESS_CHANGED';
  readonly assistant: string;
  readonly before: KnownState;
  readonly now: KnownState;
  /** What blocks it, such as `robots.txt, line 7`; null if nothing does. */
  readonly reason: string | null;
}

/**
 * Compares each assistant with the last run that knows its state. Ignores unknown states, and a refusal that this run did not test again.
 * @param isIntentional true if the owner blocks assistants on purpose: then only better access is a change
 */
export function accessChanges(
  answer: Answer | null,
  earlier: readonly Pick<RunSummary, 'answer'>[],
  isIntentional: boolean,
): AccessChange[] {
  if (answer === null) return [];
  const lines = linesOfAnswer(answer);
  return answer.assistants.flatMap((assistant, at): AccessChange[] => {
    const { name, state: now } = assistant;
    const known = earlier
      .map((run) => run.answer?.assistants.find((one) => one.name === name))
      .find((one) => one !== undefined && one.state !== 'unknown');
    const before = known?.state;
    if (known === undefined || before === undefined || before === now) return [];
    if (before === 'unknown' || now === 'unknown' || isUntested(known, assistant)) return [];
    if (isIntentional && isWorse({ before, now })) return [];
    const reason = now === 'open' ? null : (lines[at]?.rest.replace(/^: /, '') ?? null);
    return [{ kind: 'ACCESS_CHANGED', assistant: name, before, now, reason }];
  });
}

/** True if the assistant can read less than before. */
export function isWorse({ before, now }: Pick<AccessChange, 'before' | 'now'>): boolean {
  return STATES.indexOf(now) > STATES.indexOf(before);
}

function isUntested(before: Assistant, now: Assistant): boolean {
  const untested = now.tokens.filter(({ robots, server }) => robots === 'allowed' && server === 'untested');
  return before.tokens.some(({ token, server }) => server === 'refused' && untested.some((one) => one.token === token));
}

/** Groups changes with the same cause into one sentence, worst first. @param site how sentences name the site */
export function describeAccess(changes: readonly AccessChange[], site: string): string[] {
  const worstFirst = changes.toSorted(
    (one, other) =>
      Number(isWorse(other)) - Number(isWorse(one)) || STATES.indexOf(other.now) - STATES.indexOf(one.now),
  );
  const groups = Map.groupBy(worstFirst, (change) => `${verbOf(change)} ${site}${causeOf(change)}`);
  return [...groups].map(([words, group]) => `${formatList(group.map(({ assistant }) => assistant))} ${words}`);
}

function verbOf(change: AccessChange): string {
  if (change.now === 'open') return 'can read';
  if (change.now === 'blocked') return 'can no longer read';
  return isWorse(change) ? 'can no longer fully read' : 'can partly read';
}

function causeOf({ now, reason }: AccessChange): string {
  if (now === 'open') return ' again';
  return reason === null ? '' : `: ${reason}`;
}
