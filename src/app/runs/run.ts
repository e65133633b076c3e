import type { components } from '../../../generated/contract.js';

/** What started a run, with the words of the description document for each value. */
export const TRIGGERS = {
  MANUAL: 'Started by a person in the application.',
  SCHEDULED: 'Started by the schedule of the site.',
  POST_DEPLOY: 'Started by a deploy hook.',
  API: 'Started by createRun.',
} as const;
export type Trigger = keyof typeof TRIGGERS;

/** What started a run. */
export const TRIGGER_WORDS: Readonly<Record<Trigger, string>> = {
  MANUAL: 'manual',
  SCHEDULED: 'by schedule',
  POST_DEPLOY: 'after a deploy',
  API: 'by the API',
};

/** The triggers whose runs are jobs. A request of the API waits for its run. */
export type QueuedTrigger = Exclude<Trigger, 'API'>;
export const QUEUED_TRIGGERS: readonly QueuedTrigger[] = ['MANUAL', 'SCHEDULED', 'POST_DEPLOY'];

type Schemas = components['schemas'];

/** The contract's Finding. Its check may have been retired since, so any id may occur. */
type ContractFinding = Readonly<Omit<Schemas['Finding'], 'checkId'>> & { readonly checkId: string };

/** The contract's RunResponse, which every successful operation returns. Its types come from the document, so the compiler finds missing fields. */
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
  /** A strong entity tag, quotes included. */
  readonly etag: string;
}

export function parseRun(body: Uint8Array): RunResponse {
  return JSON.parse(Buffer.from(body).toString('utf8')) as RunResponse;
}
