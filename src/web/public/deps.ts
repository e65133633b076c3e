import type { Check } from '../../scanner/verdict/check.js';
import type { Clock } from '../../platform/clock.js';
import type { Part } from '../server/part.js';

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
  /** Whether anybody may make an account. */
  readonly isSignUpOpen: boolean;
  /** How many days the exchanges behind findings are kept; 0: none are. */
  readonly evidenceDays: number;
  /** Of this build. */
  readonly version: string;
  readonly clock: Clock;
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
