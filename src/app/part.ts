import type { Clock } from '../platform/clock.js';
import type { Kit, Part as KitPart } from '../web/kit/part.js';
import type { Cookie } from './accounts/pages/session.js';
import type { SignIn } from './accounts/sign-in.js';
import type { Webhooks } from './alerts/webhooks.js';
import type { AuditPage, EventWords } from './audit/audit.js';
import type { DeployHooks } from './automation/deploy-hooks.js';
import type { Schedules } from './automation/schedules.js';
import type { Badges } from './badges/badges.js';
import type { AccountData } from './data/account-data.js';
import type { SiteRemoval } from './data/site-removal.js';
import type { RunEvidence } from './evidence/evidence.js';
import type { FreeScans } from './free-scan/free-scans.js';
import type { Keys } from './keys/keys.js';
import type { History } from './runs/history.js';
import type { ManualRuns } from './runs/manual-runs.js';
import type { Ownership } from './sites/ownership.js';
import type { Sites } from './sites/sites.js';
import type { AcceptedFailures } from './triage/accepted-failures.js';
import type { Rechecks } from './triage/rechecks.js';

/** What the pages of the features work with. */
export interface PageServices {
  readonly signIn: SignIn;
  readonly sites: Sites;
  readonly siteRemoval: SiteRemoval;
  readonly ownership: Ownership;
  readonly history: History;
  readonly manualRuns: Pick<ManualRuns, 'start' | 'live' | 'watch'>;
  readonly schedules: Pick<Schedules, 'get' | 'set' | 'nextRuns'>;
  readonly deployHooks: Pick<DeployHooks, 'find' | 'create' | 'remove'>;
  readonly badges: Badges;
  readonly rechecks: Pick<Rechecks, 'start' | 'list'>;
  readonly acceptedFailures: AcceptedFailures;
  readonly evidence: Pick<RunEvidence, 'ofRun' | 'recordDownload'>;
  readonly keys: Keys;
  readonly accountData: AccountData;
  readonly webhooks: Webhooks;
  readonly readEvents: (accountId: string, before?: string) => Promise<AuditPage>;
  readonly freeScans: Pick<FreeScans, 'start' | 'find'>;
  /** The service's own origin. */
  readonly publicUrl: string;
  /** Where people reach the operator: a mailto or https URL; null when the operator gives none. */
  readonly contact: string | null;
  /** Of this build. */
  readonly version: string;
  readonly clock: Clock;
}

export interface PageDeps extends PageServices {
  readonly sessionCookie: Cookie;
  /** By which a device that has signed in is known again, for a year. */
  readonly deviceCookie: Cookie;
  readonly eventWords: EventWords;
}

export type PartDeps = PageDeps & Kit;

/** Some pages of a feature: adds their routes. */
export type Part = KitPart<PageDeps>;
