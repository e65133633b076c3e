import type { Finding } from '../../scanner/findings/finding.js';

/** Why a run was started, with the words that the description document gives each value. */
export const TRIGGERS = {
  MANUAL: 'Started by a person in the application.',
  SCHEDULED: 'Started by the schedule of the site.',
  POST_DEPLOY: 'Started by a deploy hook.',
  API: 'Started by createRun.',
} as const;
export type Trigger = keyof typeof TRIGGERS;

/** The triggers whose runs are jobs: a call of the API waits for its run itself. */
export type QueuedTrigger = Exclude<Trigger, 'API'>;
export const QUEUED_TRIGGERS: readonly QueuedTrigger[] = ['MANUAL', 'SCHEDULED', 'POST_DEPLOY'];

/** The contract's RunResponse: what every successful operation answers, and what is stored for good. */
export interface RunResponse {
  readonly site: { readonly id: string; readonly hostname: string };
  readonly run: {
    readonly number: number;
    /** `CR-` and six digits: a counter of the account, for people. */
    readonly reference: string;
    readonly score: number | null;
    readonly trigger: Trigger;
    readonly startedAt: string;
    readonly finishedAt: string | null;
  };
  readonly findings: readonly Finding[];
}

/** Largest value of an account's reference counter; 000001 comes after it. */
export const REFERENCE_MAX = 999_999;

export function formatReference(counter: number): string {
  return `CR-${String(counter).padStart(6, '0')}`;
}
