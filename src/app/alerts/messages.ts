import type { RunResponse } from '../runs/run.js';
import type { LossNotice, MissingProofNotice } from '../sites/ownership-recheck.js';
import type { AlertChange, RunDifference } from './changes.js';

type Site = RunResponse['site'];

/** The fields of a run that a message contains; the API returns the rest. */
type ReportedRun = Pick<RunResponse['run'], 'number' | 'reference' | 'score' | 'trigger' | 'finishedAt'>;

/** Why a webhook was turned off. `gone`: its receiver no longer accepts messages. `failing`: it did not accept two messages in a row. */
export type TurnOffCause = 'gone' | 'failing';

/** What each type of message contains. Times are ISO 8601 in UTC. */
interface MessageData {
  readonly 'site.changed': {
    readonly site: Site;
    /** `commit`: the first digits of the commit in the run's label. `url`: the run's page. */
    readonly run: ReportedRun & { readonly commit?: string; readonly url: string };
    /** The score that the run is compared with; null if there is none. */
    readonly previousScore: number | null;
    readonly changes: readonly AlertChange[];
  };
  /** Both ownership messages are sent by email, or to webhooks if the account gets no email. */
  readonly 'site.proof_unread': { readonly site: Site } & MissingProofNotice;
  readonly 'site.ownership_lost': { readonly site: Site } & LossNotice;
  /** Sent by email only. `name`: part of the address, since the rest may be secret. */
  readonly 'webhook.disabled': {
    readonly webhook: { readonly id: string; readonly name: string };
    readonly cause: TurnOffCause;
  };
  readonly test: { readonly message: string };
}

export type AlertEventType = keyof MessageData;

/** A message, as Standard Webhooks recommends for payloads. */
export interface Message<Type extends AlertEventType> {
  readonly type: Type;
  readonly timestamp: string;
  readonly data: MessageData[Type];
}

export type AlertEvent = { readonly [Type in AlertEventType]: Message<Type> }[AlertEventType];

export function newMessage<Type extends AlertEventType>(type: Type, data: MessageData[Type], at: Date): Message<Type> {
  return { type, timestamp: at.toISOString(), data };
}

interface ChangedSite extends RunDifference {
  readonly site: Site;
  readonly run: ReportedRun;
  /** The commit in the run's label. */
  readonly commit: string | null;
}

export function siteChangedMessage(changed: ChangedSite, publicUrl: string, now: Date): Message<'site.changed'> {
  const { site, commit, previousScore, changes } = changed;
  const { number, reference, score, trigger, finishedAt } = changed.run;
  const url = `${publicUrl}/sites/${site.id}/runs/${number}`;
  const run = { number, reference, score, trigger, finishedAt, ...(commit && { commit }), url };
  const at = finishedAt === null ? now : new Date(finishedAt);
  return newMessage('site.changed', { site, run, previousScore, changes }, at);
}
