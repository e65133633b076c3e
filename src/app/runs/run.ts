import type { components } from '../../../generated/contract.js';
import { shortHash, shortLabel } from '../../platform/label.js';

/** What can start a run, with the text in the API description. */
export const TRIGGERS = {
  MANUAL: 'Started by a person in the application.',
  SCHEDULED: 'Started by the schedule of the site.',
  POST_DEPLOY: 'Started by a deploy hook.',
  API: 'Started by createRun.',
} as const;
export type Trigger = keyof typeof TRIGGERS;

export const TRIGGER_WORDS: Readonly<Record<Trigger, string>> = {
  MANUAL: 'manual',
  SCHEDULED: 'by schedule',
  POST_DEPLOY: 'after a deploy',
  API: 'by the API',
};

/** The triggers whose runs are queued. An API request waits for its run instead. */
export type QueuedTrigger = Exclude<Trigger, 'API'>;
export const QUEUED_TRIGGERS: readonly QueuedTrigger[] = ['MANUAL', 'SCHEDULED', 'POST_DEPLOY'];

type Schemas = components['schemas'];

/** The contract's Finding. Its check may since have been retired, so any id may occur. */
type ContractFinding = Readonly<Omit<Schemas['Finding'], 'checkId'>> & { readonly checkId: string };

/** The contract's RunResponse, which every successful operation returns. */
export type RunResponse = {
  readonly [Part in keyof Schemas['RunResponse']]: Part extends 'findings'
    ? readonly ContractFinding[]
    : Readonly<Schemas['RunResponse'][Part]>;
};

/** A finished run as the API sends it. */
export interface StoredRun {
  readonly siteId: string;
  readonly number: number;
  /** The serialized RunResponse, UTF-8 JSON. */
  readonly body: Uint8Array;
  /** A strong entity tag, including quotes. */
  readonly etag: string;
}

export function parseRun(body: Uint8Array): RunResponse {
  return JSON.parse(Buffer.from(body).toString('utf8')) as RunResponse;
}

/** Names that the caller gave a run. Only the site's owner may see them. */
export interface RunLabel {
  /** Such as `v2.3.1`. */
  readonly label: string | null;
  readonly commit: string | null;
}

/** Formats a label, such as `v2.3.1, 4f2a1c9`. */
export function describeLabel({ label, commit }: RunLabel): string {
  const parts = [label && shortLabel(label), commit && (shortHash(commit) ?? commit)].filter((text) => text !== null);
  return [...new Set(parts)].join(', ');
}

/** Describes what started a run, such as `after a deploy: v2.3.1, 4f2a1c9`. */
export function describeStart(trigger: Trigger, label: RunLabel | null): string {
  return label ? `${TRIGGER_WORDS[trigger]}: ${describeLabel(label)}` : TRIGGER_WORDS[trigger];
}

/** Payload of a job that runs after a deployment. */
interface DeployPayload {
  /** Null if the deployment has no name. */
  readonly label: RunLabel | null;
  /** Time when the deployment is live. ISO 8601, UTC. */
  readonly liveAt: string;
}

export function deployPayload(label: RunLabel | null, liveAt: Date): string {
  return JSON.stringify({ label, liveAt: liveAt.toISOString() } satisfies DeployPayload);
}

/** Returns the label of a run that begins now; null if the last deployment is not live yet. @param payload the payload of its job */
export function labelFromPayload(payload: string | null, now: Date): RunLabel | null {
  if (payload === null) return null;
  const { label, liveAt } = JSON.parse(payload) as DeployPayload;
  return liveAt <= now.toISOString() ? label : null;
}
