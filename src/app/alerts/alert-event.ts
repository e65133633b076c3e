import type { AlertChange } from './changes.js';
import type { RunResponse } from '../runs/run.js';
import type { LossNotice, UnreadNotice } from '../sites/settle-proof.js';
import { describeScored, drawPins, pinGroupsOf } from '../../scanner/report/pins.js';
import { type ChatFormat, serviceAt, shownName, type WebhookFormat } from './webhook-format.js';

/** What messages tell of. */
export type AlertEventType = PeopleEvent['type'];

/** What goes to people, by mail or to a chat. */
export type PeopleEvent = MailedEvent | ChatEvent;

/** By mail. */
export type MailedEvent = SiteChangedEvent | WebhookDisabledEvent | OwnershipEvent | DigestEvent;

/** To a webhook. */
export type ChatEvent = SiteChangedEvent | OwnershipEvent | TestEvent;

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
  /** What people see of the run at a glance: not in what is posted to programs. */
  readonly pins?: DrawnPins;
}

/** The pins of a run in characters, and in words for those who do not see them. */
export interface DrawnPins {
  readonly drawn: string;
  readonly words: string;
}

/** By e-mail only: the one place that is left to say it. */
export interface WebhookDisabledEvent {
  readonly type: 'webhook.disabled';
  readonly timestamp: string;
  readonly data: {
    readonly webhook: {
      readonly id: string;
      /** Of its address what people know it by: the rest may hold a secret of the receiver. */
      readonly host: string;
    };
    /** Absent in messages of earlier versions. */
    readonly cause?: TurnOffCause;
    /** The service that stands at its address; absent: neither of the two. */
    readonly service?: ChatFormat;
  };
}

/** `gone`: its receiver answered that it wants no more messages. `failing`: it took none for days. */
export type TurnOffCause = 'gone' | 'failing';

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
  readonly data: { readonly site: RunResponse['site'] } & Partial<LossNotice>;
}

export interface TestEvent {
  readonly type: 'test';
  readonly timestamp: string;
  readonly data: { readonly message: string };
}

/** A digest that waits: of which time it tells. Nothing of the sites is in it, so that what is removed is nowhere. */
export interface DigestMessage {
  readonly type: 'digest.weekly';
  readonly timestamp: string;
  readonly data: { readonly since: string; readonly until: string };
}

/** What changed on the sites of an account in a week. */
export interface DigestEvent {
  readonly type: 'digest.weekly';
  readonly timestamp: string;
  readonly data: {
    /** From when on. */
    readonly since: string;
    /** How many sites the account has. */
    readonly sites: number;
    readonly groups: readonly DigestGroup[];
  };
}

export type DigestKind = 'worse' | 'unscored' | 'better' | 'first';

/** Sites that fared alike: some of them, and how many there are. */
export interface DigestGroup {
  readonly kind: DigestKind;
  readonly count: number;
  readonly sites: readonly DigestSite[];
}

export interface DigestSite {
  readonly id: string;
  readonly hostname: string;
  /** The scores before and after the week; the same where alerts would not have told of a fall. Null: there was none. */
  readonly from: number | null;
  readonly to: number | null;
  readonly newFailures: number;
  readonly fixed: number;
  /** Whether it has a score again. */
  readonly isBack: boolean;
  /** How many runs in a row have no score, the latest among them. */
  readonly unscoredRuns: number;
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
  { id, url, format }: { readonly id: string; readonly url: string; readonly format: WebhookFormat },
  cause: TurnOffCause,
  now: Date,
): WebhookDisabledEvent {
  const service = serviceAt(new URL(url));
  const data = { webhook: { id, host: shownName(url, format) }, cause, ...(service && { service }) };
  return { type: 'webhook.disabled', timestamp: now.toISOString(), data };
}

export function proofUnread(site: RunResponse['site'], unread: UnreadNotice, now: Date): ProofUnreadEvent {
  return { type: 'site.proof_unread', timestamp: now.toISOString(), data: { site, ...unread } };
}

export function ownershipLost(site: RunResponse['site'], loss: LossNotice, now: Date): OwnershipLostEvent {
  return { type: 'site.ownership_lost', timestamp: now.toISOString(), data: { site, ...loss } };
}

export function testEvent(now: Date): TestEvent {
  const message = 'This is a test. Messages of the type site.changed tell of changes of your sites.';
  return { type: 'test', timestamp: now.toISOString(), data: { message } };
}

/** The same for people. Of a run whose checks are all unknown to this version there is nothing to draw. */
export function withPins(
  event: SiteChangedEvent,
  findings: readonly Pick<RunResponse['findings'][number], 'checkId' | 'result'>[],
): SiteChangedEvent {
  const groups = pinGroupsOf(findings);
  const drawn = drawPins(groups);
  return drawn === '' ? event : { ...event, pins: { drawn, words: describeScored(groups) } };
}

/** The change in a line for people. */
export function describeChange(change: AlertChange): string {
  switch (change.kind) {
    case 'SCORE_FELL':
      return `The score fell from ${change.from} to ${change.to}.`;
    case 'CHECK_FAILING':
      return `${change.checkId} fails now: ${change.headline}.`;
    case 'CHECK_FIXED':
      return `Fixed: ${nameOf(change)}.`;
    case 'SITE_UNREACHABLE':
      return 'The site could not be reached twice in a row.';
    case 'SITE_REACHABLE':
      return 'The site can be reached again.';
  }
}

function nameOf({ checkId, title }: { readonly checkId: string; readonly title: string | null }): string {
  return title === null ? checkId : `${checkId} "${title}"`;
}
