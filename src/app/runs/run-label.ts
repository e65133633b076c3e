import { hashFrom, shortHash, shortLabel } from '../../platform/label.js';
import { type Trigger, TRIGGER_WORDS } from './run.js';

/** Names that the caller gave to a run. Only the site's owner may see these words. */
export interface RunLabel {
  /** Such as `v2.3.1`. */
  readonly label: string | null;
  readonly commit: string | null;
}

/** Returns the short commit hash for messages, which never quote the caller; null if there is none. */
export function findCommitHash({ label, commit }: RunLabel): string | null {
  return shortHash(commit ?? '') ?? hashFrom(label ?? '');
}

/** Formats a label: `v2.3.1, 4f2a1c9`. */
export function describeLabel({ label, commit }: RunLabel): string {
  const parts = [label && shortLabel(label), commit && (shortHash(commit) ?? commit)].filter((text) => text !== null);
  return [...new Set(parts)].join(', ');
}

/** What started a run, and its label: `after a deploy: v2.3.1, 4f2a1c9`. */
export function describeStart(trigger: Trigger, label: RunLabel | null): string {
  return label ? `${TRIGGER_WORDS[trigger]}: ${describeLabel(label)}` : TRIGGER_WORDS[trigger];
}

/** A label as a run stores it. */
export interface RunLabelRow {
  readonly label: string | null;
  readonly commit_id: string | null;
}

/** Returns null for a run without a label. */
export function labelFromRow({ label, commit_id: commit }: RunLabelRow): RunLabel | null {
  return label === null && commit === null ? null : { label, commit };
}

/** Labels of runs to come, oldest first: each names the next run that begins when its deployment is live, or later. */
type NextLabels = readonly NextLabel[];

interface NextLabel {
  /** When the deployment is live. ISO 8601, UTC. */
  readonly liveAt: string;
  /** Null if the deployment has no name, so that its run has none. */
  readonly given: RunLabel | null;
}

/** Returns the label of a run that begins now. */
export function nextLabel(payload: string | null, now: Date): RunLabel | null {
  return parseNextLabels(payload).findLast(({ liveAt }) => liveAt <= now.toISOString())?.given ?? null;
}

/**
 * Adds the label of a deployment to the payload of the job that runs after it.
 * @param before when the run was due before this deployment postponed it: its label is replaced; null if this adds a run
 */
export function addNextLabel(
  payload: string | null,
  given: RunLabel | null,
  { runAfter, before, now }: { readonly runAfter: Date; readonly before: Date | null; readonly now: Date },
): string {
  const liveAt = runAfter.toISOString();
  const others = parseNextLabels(payload).filter(
    (one) => one.liveAt !== before?.toISOString() && one.liveAt !== liveAt,
  );
  const lastLive = others.findLastIndex((one) => one.liveAt <= now.toISOString());
  const labels: NextLabels = [...others.slice(Math.max(0, lastLive)), { liveAt, given }];
  return JSON.stringify(labels.toSorted((a, b) => (a.liveAt < b.liveAt ? -1 : 1)));
}

function parseNextLabels(payload: string | null): NextLabels {
  return JSON.parse(payload ?? '[]') as NextLabels;
}
