import type { Trigger } from './run.js';
import { describeLabel, type RunLabel } from './run-label.js';

/** What started a run, after "started". */
export const TRIGGER_WORDS: Readonly<Record<Trigger, string>> = {
  MANUAL: 'by hand',
  SCHEDULED: 'by schedule',
  POST_DEPLOY: 'after a deploy',
  API: 'by the API',
};

/** What started a run, and what it was named by: `after a deploy: v2.3.1, 4f2a1c9`. */
export function describeStart(trigger: Trigger, label: RunLabel | null): string {
  return label ? `${TRIGGER_WORDS[trigger]}: ${describeLabel(label)}` : TRIGGER_WORDS[trigger];
}
