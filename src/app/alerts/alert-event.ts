import type { AlertChange } from './changes.js';
import type { RunResponse } from '../runs/run.js';
import type { UnreadNotice } from '../sites/settle-proof.js';
import type { ProofProblem } from '../sites/unread-proof.js';

/** What messages tell of. */
export type AlertEventType = MailedEvent['type'] | TestEvent['type'];

/** What goes to people. */
export type MailedEvent = SiteChangedEvent | WebhookDisabledEvent | OwnershipEvent;

/** By e-mail, or else by webhook: somebody has to hear of it. */
export type OwnershipEvent = ProofUnreadEvent | OwnershipLostEvent;

/** What a message tells of a run; the API tells the rest. */
type ToldRun = Pick<RunResponse['run'], 'number' | 'reference' | 'score' | 'trigger' | 'finishedAt'>;

/** A message, in the payload's shape that Standard Webhooks recommends. */
export interface SiteChangedEvent {
  readonly type: 'site.changed';
  /** When the run finished. ISO 8601, UTC, as all times here. */
  readonly timestamp: string;
  readonly data: {
    readonly site: RunResponse['site'];
    readonly run: ToldRun & {
      /** The first digits of the hash of the commit that it was named by. */
      readonly commit?: string;
      /** The run's page. */
      readonly url: string;
    };
    /** The score that the run's was compared with: the last that was neither null nor in doubt (see AlertState). */
    readonly previousScore: number | null;
    readonly changes: readonly AlertChange[];
  };
}

/** By e-mail only: the one place that is left to say it. */
export interface WebhookDisabledEvent {
  readonly type: 'webhook.disabled';
  readonly timestamp: string;
  /** Of its address the host alone: the rest may hold a secret of the receiver. */
  readonly data: { readonly webhook: { readonly id: string; readonly host: string } };
}

/** The proof of ownership was looked for and not found; what is lost by it, and when. */
export interface ProofUnreadEvent {
  readonly type: 'site.proof_unread';
  readonly timestamp: string;
  readonly data: {
    readonly site: RunResponse['site'];
  } & UnreadNotice;
}

export interface OwnershipLostEvent {
  readonly type: 'site.ownership_lost';
  readonly timestamp: string;
  /** The reason is missing in messages of earlier versions, which knew one only: absent. */
  readonly data: { readonly site: RunResponse['site']; readonly reason?: ProofProblem };
}

export interface TestEvent {
  readonly type: 'test';
  readonly timestamp: string;
  readonly data: { readonly message: string };
}

/** What a message tells of a run, besides what it is. */
interface Told {
  readonly changes: readonly AlertChange[];
  readonly previousScore: number | null;
  /** Null: none that is known to be one. */
  readonly commit: string | null;
}

/** Nothing of the scanned site is in it: of the findings only ids, titles, headlines and error types, which are the registry's own. */
export function siteChanged(
  { site, run }: { readonly site: RunResponse['site']; readonly run: ToldRun },
  { changes, previousScore, commit }: Told,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: Date },
): SiteChangedEvent {
  const { number, reference, score, trigger, finishedAt } = run;
  const url = `${publicUrl}/sites/${site.id}/runs/${number}`;
  return {
    type: 'site.changed',
    timestamp: finishedAt ?? now.toISOString(),
    data: {
      site,
      run: { number, reference, score, trigger, finishedAt, ...(commit && { commit }), url },
      previousScore,
      changes,
    },
  };
}

export function webhookDisabled(
  webhook: { readonly id: string; readonly url: string },
  now: Date,
): WebhookDisabledEvent {
  const { host } = new URL(webhook.url);
  return { type: 'webhook.disabled', timestamp: now.toISOString(), data: { webhook: { id: webhook.id, host } } };
}

export function proofUnread(site: RunResponse['site'], unread: UnreadNotice, now: Date): ProofUnreadEvent {
  return { type: 'site.proof_unread', timestamp: now.toISOString(), data: { site, ...unread } };
}

export function ownershipLost(site: RunResponse['site'], reason: ProofProblem, now: Date): OwnershipLostEvent {
  return { type: 'site.ownership_lost', timestamp: now.toISOString(), data: { site, reason } };
}

export function testEvent(now: Date): TestEvent {
  const message = 'This is a test. Messages of the type site.changed tell of changes of your sites.';
  return { type: 'test', timestamp: now.toISOString(), data: { message } };
}

/** The change in a line for people. */
export function describeChange(change: AlertChange): string {
  switch (change.kind) {
    case 'SCORE_FELL':
      return `The score fell from ${change.from} to ${change.to}.`;
    case 'CHECK_FAILING':
      return `${change.checkId} fails now: ${change.headline}.`;
    case 'CHECK_FIXED':
      return `${nameOf(change)} does not fail any more.`;
    case 'SITE_UNREACHABLE':
      return 'The site could not be reached twice in a row.';
    case 'SITE_REACHABLE':
      return 'The site can be reached again.';
  }
}

function nameOf({ checkId, title }: { readonly checkId: string; readonly title: string | null }): string {
  return title === null ? checkId : `${checkId} "${title}"`;
}
