import { isIP } from 'node:net';

/** Where the server is, and which one. */
export interface Whereabouts {
  /** The service's base address, without a trailing slash. */
  readonly publicUrl: string;
  /** Of this build. */
  readonly version: string;
}

export const MCP_PATH = '/mcp';

const TITLE = 'Agent Readiness Scan';
/** At most 100 characters: the limit of the card's schema. */
const DESCRIPTION = 'Checks whether AI agents can find, read, trust and use a public web site. Free, without a key.';
/** What a user may ask that this server answers: two to five, for registries that search by meaning (ARD 0.91 §5). */
const QUERIES = ['Is example.com ready for AI agents?', 'Why do AI agents not find my site, and how do I fix it?'];
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
const CARD_TYPE = 'application/mcp-server-card+json';
const ID = 'agent-readiness-scan';

const REGISTRY_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** What the server offers. Nothing of it changes while it runs. */
export const CAPABILITIES = { tools: { listChanged: false }, prompts: { listChanged: false } } as const;

/** A tool or a prompt, as it is announced. */
export interface Offered {
  readonly name: string;
  readonly config: { readonly title: string; readonly description: string };
}

/** The tools and prompts of the server. */
export interface Offers {
  readonly tools: readonly Offered[];
  readonly prompts: readonly Offered[];
}

/** The revisions of the protocol that know the Streamable HTTP transport, the newest first. */
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** What the server says of itself wherever it is asked: a card must not contradict it (Server Card, "Consistency with Runtime Behavior"). */
export function identityOf({ publicUrl, version }: Whereabouts) {
  return {
    name: `${publisherOf(publicUrl).split('.').toReversed().join('.')}/${ID}`,
    title: TITLE,
    version,
    description: DESCRIPTION,
    websiteUrl: publicUrl,
  };
}

/**
 * The documents in which the server describes itself, ready to be served as JSON. Sources: the Server Card extension (SEP-2127), its schema v1
 * and "Discovery"; AI Catalog 1.0, "Catalog Entry"; MCP Registry, "Publishing Remote Servers".
 */
export function mcpDocumentsOf(where: Whereabouts, { tools, prompts }: Offers) {
  const { publicUrl, version } = where;
  const identity = identityOf(where);
  const endpoint = publicUrl + MCP_PATH;
  return {
    serverCard: {
      $schema: SCHEMA,
      ...identity,
      // The schema has no place of its own for them.
      _meta: { [`${identity.name.split('/')[0]}/capabilities`]: CAPABILITIES },
      remotes: [{ type: 'streamable-http', url: endpoint, supportedProtocolVersions: PROTOCOL_VERSIONS }],
    },
    // The proposals before the card never had one schema: what SEP-1649 and the plain manifest ask for, in one document.
    manifest: {
      ...identity,
      endpoint,
      protocolVersion: PROTOCOL_VERSIONS[0],
      serverInfo: { name: identity.name, title: identity.title, version },
      transport: { type: 'streamable-http', endpoint },
      authentication: { required: false },
      capabilities: CAPABILITIES,
      tools: tools.map(announce),
      prompts: prompts.map(announce),
    },
    /** As the command of the MCP Registry publishes it. */
    registryEntry: { $schema: REGISTRY_SCHEMA, ...identity, remotes: [{ type: 'streamable-http', url: endpoint }] },
    catalogEntry: {
      identifier: `urn:air:${publisherOf(publicUrl)}:mcp:${ID}`,
      displayName: TITLE,
      description: DESCRIPTION,
      type: CARD_TYPE,
      url: `${endpoint}/server-card`,
      representativeQueries: QUERIES,
    },
  };
}

function announce({ name, config: { title, description } }: Offered) {
  return { name, title, description };
}

/** The host that publishes the server, which a reverse-DNS name and a URN are made of: an address has no such name. */
function publisherOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname) !== 0 || hostname.startsWith('[') ? 'localhost' : hostname;
}
