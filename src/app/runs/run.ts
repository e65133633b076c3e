import type { components } from '../../../generated/contract.js';

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

type Schemas = components['schemas'];

/** The contract's Finding. Its check may have been retired since: any id. */
type ContractFinding = Readonly<Omit<Schemas['Finding'], 'checkId'>> & { readonly checkId: string };

/**
 * The contract's RunResponse: what every successful operation answers, and what is stored for good. By the types of the document, so a
 * field that is added to it is missing wherever one is made.
 */
export type RunResponse = {
  readonly [Part in keyof Schemas['RunResponse']]: Part extends 'findings'
    ? readonly ContractFinding[]
    : Readonly<Schemas['RunResponse'][Part]>;
};

/** A finished run as it is sent ever after, texts included. */
export interface StoredRun {
  readonly siteId: string;
  readonly number: number;
  /** The serialised RunResponse: UTF-8 JSON. */
  readonly body: Uint8Array;
  /** A strong entity tag, quotes included. */
  readonly etag: string;
}

/** A run from its serialised form, texts included. */
export function parseRun(body: Uint8Array): RunResponse {
  return JSON.parse(Buffer.from(body).toString('utf8')) as RunResponse;
}
