import type { MessageSigner } from '../../scanner/artifacts/message-signer.js';
import type { Check } from '../../scanner/verdict/check.js';
import type { Clock } from '../../platform/clock.js';
import type { Lifecycle } from '../../platform/lifecycle.js';
import type { Readiness } from '../../platform/readiness.js';
import type { RunDays } from '../../app/runs/run-days.js';
import type { Feature } from '../../app/feature.js';
import type { Part } from '../kit/part.js';

/** What the public pages and documents speak of. */
export interface SiteDeps {
  /** The registry. */
  readonly checks: readonly Check[];
  /** The parsed `generated/openapi.json`. */
  readonly document: object;
  /** The documents in which the MCP server describes itself, made by the room that serves it. */
  readonly mcpDocuments: McpDocuments;
  readonly publicUrl: string;
  /** Where people reach the operator: a mailto or https URL; null when the operator gives none. */
  readonly contact: string | null;
  /** What each says of what it keeps, for the privacy page. */
  readonly features: readonly Pick<Feature, 'privacy'>[];
  /** Whether anybody may make an account. */
  readonly isSignUpOpen: boolean;
  /** How many days the exchanges behind findings are kept; 0: none are. */
  readonly evidenceDays: number;
  /** What signs requests where sites ask for it; left out: nothing does. */
  readonly signer?: MessageSigner | undefined;
  /** The address ranges that scans come from; left out or empty: the operator names none. */
  readonly scanFromCidrs?: readonly string[];
  /** Of this build. */
  readonly version: string;
  /** For the status page. */
  readonly readiness: Readiness;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
  readonly runDays: Pick<RunDays, 'read'>;
  /** Whether the service shows what it does on somebody's own machine: `serve --demo`. */
  readonly isDemo?: boolean;
}

/** One part of the public site: adds its routes. */
export type SitePart = Part<SiteDeps>;

/** JSON documents, ready to be served. */
interface McpDocuments {
  /** The server card: at `/mcp/server-card` and `/.well-known/mcp/server-card.json`, as `application/mcp-server-card+json`. */
  readonly serverCard: object;
  /** What clients from before the card look for, at `/.well-known/mcp.json`. */
  readonly manifest: object;
  /** What the MCP Registry is given, at `/mcp/server.json`. */
  readonly registryEntry: object;
  /** The server's entry of `/.well-known/ard.json`. */
  readonly catalogEntry: object;
}
