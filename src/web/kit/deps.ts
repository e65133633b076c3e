import type { Check } from '../../scanner/findings/check.js';
import type { Clock } from '../../platform/clock.js';
import type { Lifecycle } from '../../platform/lifecycle.js';
import type { Logger } from '../../platform/logging.js';
import type { PlaceLimits } from '../../platform/http/places.js';
import type { Readiness } from '../../platform/readiness.js';
import type { ObserveRequest } from '../../platform/http/request-metrics.js';
import type { AcceptedFailures } from '../../app/triage/accepted-failures.js';
import type { AccountData } from '../../app/data/account-data.js';
import type { AuditPage } from '../../app/audit/audit.js';
import type { Webhooks } from '../../app/alerts/webhooks.js';
import type { Badges } from '../../app/badges/badges.js';
import type { DeployHooks } from '../../app/automation/deploy-hooks.js';
import type { Schedules } from '../../app/automation/schedules.js';
import type { FreeScans } from '../../app/free-scan/free-scans.js';
import type { History } from '../../app/runs/history.js';
import type { Keys } from '../../app/keys/keys.js';
import type { ManualRuns } from '../../app/runs/manual-runs.js';
import type { Ownership } from '../../app/sites/ownership.js';
import type { RunEvidence } from '../../app/evidence/evidence.js';
import type { Rechecks } from '../../app/triage/rechecks.js';
import type { SignIn } from '../../app/accounts/sign-in.js';
import type { SiteRemoval } from '../../app/data/site-removal.js';
import type { Sites } from '../../app/sites/sites.js';

/** What the pages work with. */
export interface WebDeps {
  readonly signIn: SignIn;
  readonly sites: Sites;
  readonly siteRemoval: SiteRemoval;
  readonly ownership: Ownership;
  readonly history: History;
  readonly manualRuns: Pick<ManualRuns, 'start' | 'find' | 'watch'>;
  readonly schedules: Pick<Schedules, 'get' | 'set' | 'nextRuns' | 'queued'>;
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
  /** The registry. */
  readonly checks: readonly Check[];
  /** The parsed `generated/openapi.json`. */
  readonly document: object;
  /** The documents in which the MCP server describes itself, made by the room that serves it. */
  readonly mcpDocuments: McpDocuments;
  /** The service's own origin: in links, in what agents read, and what a form's Origin must be. */
  readonly publicUrl: string;
  /** How many proxies stand in front: the client's address is taken from what they add to X-Forwarded-For. */
  readonly trustProxy: number;
  /** How many streams of events there may be; by default as many as clients open. */
  readonly streams?: PlaceLimits;
  /** Where people reach the operator: a mailto or https URL; null when the operator gives none. */
  readonly contact: string | null;
  /** How many days the exchanges that findings rest on are kept; 0: none are. */
  readonly evidenceDays: number;
  /** Of this build. */
  readonly version: string;
  /** For the status page. */
  readonly readiness: Readiness;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly observeRequest?: ObserveRequest;
}

/** JSON documents, ready to be served. */
export interface McpDocuments {
  /** The server card (SEP-2127). */
  readonly serverCard: object;
  /** What older clients look for at `/.well-known/mcp.json`. */
  readonly manifest: object;
  /** The server's entry in the AI catalog. */
  readonly catalogEntry: object;
}
