import type { RunResponse } from '../runs/run.js';
import type { LossNotice, MissingProofNotice } from '../sites/missing-proof.js';
import type { RunDifference } from './changes.js';

type Site = RunResponse['site'];

/** The fields of a run that alerts contain. */
type ReportedRun = Pick<RunResponse['run'], 'number' | 'reference' | 'score' | 'trigger' | 'finishedAt'>;

/** Why a webhook was turned off. `gone`: its receiver no longer accepts messages. `failing`: it did not accept two messages in a row. */
export type TurnOffCause = 'gone' | 'failing';

/** The data of each type of alert. Times are ISO 8601 in UTC. */
interface AlertData {
  readonly 'site.changed': {
    readonly site: Site;
    /** `commit`: the first digits of the commit in the run's label. `url`: the run's page. */
    readonly run: ReportedRun & { readonly commit?: string; readonly url: string };
  } & RunDifference;
  /** Both alerts about ownership are sent by email, or to webhooks if the account gets no email. */
  readonly 'site.proof_unread': { readonly site: Site } & MissingProofNotice;
  readonly 'site.ownership_lost': { readonly site: Site } & LossNotice;
  /** Sent by email only. `name`: part of the address, since the rest may be secret. */
  readonly 'webhook.disabled': {
    readonly webhook: { readonly id: string; readonly name: string };
    readonly cause: TurnOffCause;
  };
  readonly test: { readonly message: string };
}

export type AlertType = keyof AlertData;

/** An alert as receivers get it, with the fields that Standard Webhooks recommends. */
export interface AlertOf<Type extends AlertType> {
  readonly type: Type;
  readonly timestamp: string;
  readonly data: AlertData[Type];
}

export type Alert = { readonly [Type in AlertType]: AlertOf<Type> }[AlertType];

export function newAlert<Type extends AlertType>(type: Type, data: AlertData[Type], at: Date): AlertOf<Type> {
  return { type, timestamp: at.toISOString(), data };
}
