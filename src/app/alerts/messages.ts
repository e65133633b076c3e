import type { RunResponse } from '../runs/run.js';
import type { LossNotice, MissingProofNotice } from '../sites/ownership-recheck.js';
import type { AlertChange } from './changes.js';
import { type ChatFormat, serviceAt, displayName, type WebhookFormat } from './webhook-format.js';

/** A message, as Standard Webhooks recommends for payloads. Times are ISO 8601 in UTC. */
export type AlertEvent = MailedEvent | WebhookEvent;

export type AlertEventType = AlertEvent['type'];

/** Events that are sent by email. */
export type MailedEvent = SiteChangedEvent | WebhookDisabledEvent | OwnershipEvent;

/** Events that are sent to webhooks. */
export type WebhookEvent = SiteChangedEvent | OwnershipEvent | TestEvent;

/** Sent by email, or to webhooks if there is none. */
export type OwnershipEvent = ProofUnreadEvent | OwnershipLostEvent;

type Site = RunResponse['site'];

/** The fields of a run that a message contains; the API returns the rest. */
type ReportedRun = Pick<RunResponse['run'], 'number' | 'reference' | 'score' | 'trigger' | 'finishedAt'>;

interface Message<Type extends string, Data> {
  readonly type: Type;
  readonly timestamp: string;
  readonly data: Data;
}

export type SiteChangedEvent = Message<
  'site.changed',
  {
    readonly site: Site;
    /** `commit`: the first digits of the commit in the run's label. `url`: the run's page. */
    readonly run: ReportedRun & { readonly commit?: string; readonly url: string };
    /** The score that the run is compared with; null if there is none. */
    readonly previousScore: number | null;
    readonly changes: readonly AlertChange[];
  }
>;

/** Why a webhook was turned off. `gone`: its receiver wants no more messages. `failing`: it accepted none for days. */
export type TurnOffCause = 'gone' | 'failing';

export type WebhookDisabledEvent = Message<
  'webhook.disabled',
  {
    /** `host`: a short name, since the rest of the address may be secret. */
    readonly webhook: { readonly id: string; readonly host: string };
    readonly cause: TurnOffCause;
    /** Set if the address belongs to a chat service. */
    readonly service?: ChatFormat;
  }
>;

export type ProofUnreadEvent = Message<'site.proof_unread', { readonly site: Site } & MissingProofNotice>;
export type OwnershipLostEvent = Message<'site.ownership_lost', { readonly site: Site } & LossNotice>;
export type TestEvent = Message<'test', { readonly message: string }>;

export interface ReportedChanges {
  readonly changes: readonly AlertChange[];
  readonly previousScore: number | null;
  /** The commit that the run was labelled with, or null. */
  readonly commit: string | null;
}

export function siteChanged(
  { site, run }: { readonly site: Site; readonly run: ReportedRun },
  { changes, previousScore, commit }: ReportedChanges,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: Date },
): SiteChangedEvent {
  const { number, reference, score, trigger, finishedAt } = run;
  const url = `${publicUrl}/sites/${site.id}/runs/${number}`;
  const reported = { number, reference, score, trigger, finishedAt, ...(commit && { commit }), url };
  return {
    type: 'site.changed',
    timestamp: finishedAt ?? now.toISOString(),
    data: { site, run: reported, previousScore, changes },
  };
}

export function webhookDisabled(
  { id, url, format }: { readonly id: string; readonly url: string; readonly format: WebhookFormat },
  cause: TurnOffCause,
  now: Date,
): WebhookDisabledEvent {
  const service = serviceAt(new URL(url));
  const data = { webhook: { id, host: displayName(url, format) }, cause, ...(service && { service }) };
  return { type: 'webhook.disabled', timestamp: now.toISOString(), data };
}

export function proofUnread(site: Site, notice: MissingProofNotice, now: Date): ProofUnreadEvent {
  return { type: 'site.proof_unread', timestamp: now.toISOString(), data: { site, ...notice } };
}

export function ownershipLost(site: Site, notice: LossNotice, now: Date): OwnershipLostEvent {
  return { type: 'site.ownership_lost', timestamp: now.toISOString(), data: { site, ...notice } };
}

export function testEvent(now: Date): TestEvent {
  const message = 'This is a test. Messages of the type site.changed report changes of your sites.';
  return { type: 'test', timestamp: now.toISOString(), data: { message } };
}
