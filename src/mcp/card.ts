import { isIP } from 'node:net';
import { PROGRAM } from '../scanner/report/program.js';

export interface ServerInfo {
  /** The service's base URL, without a trailing slash. */
  readonly publicUrl: string;
  readonly version: string;
}

export const MCP_PATH = '/mcp';

const TITLE = 'Agent Readiness Scan';
/** At most 100 characters: the limit of the card's schema. */
const DESCRIPTION = 'Checks whether AI agents can find, read, trust and use a public web site. Free, without a key.';
/** Two to five questions that this server answers, for registries that search by meaning (ARD 0.91 §5). */
const QUERIES = ['Is example.com ready for AI agents?', 'Why do AI agents not find my site, and how do I fix it?'];
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
const CARD_TYPE = 'application/mcp-server-card+json';

/** Neither list changes while the server runs. */
export const CAPABILITIES = { tools: { listChanged: false }, prompts: { listChanged: false } } as const;

/** A tool or prompt as the documents list it. */
export interface ListedFeature {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** The protocol's revisions with the Streamable HTTP transport, newest first. */
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** Returns the server's identity, the same in every document (Server Card, "Consistency with Runtime Behavior"). */
export function identityOf({ publicUrl, version }: ServerInfo) {
  return {
    name: `${publisherOf(publicUrl).split('.').toReversed().join('.')}/${PROGRAM}`,
    title: TITLE,
    version,
    description: DESCRIPTION,
    websiteUrl: publicUrl,
  };
}

/**
 * Returns the documents that describe the server, to be sent as JSON. Specifications: the Server Card extension (SEP-2127), its schema v1
 * and "Discovery"; AI Catalog 1.0, "Catalog Entry".
 */
export function createMcpDocuments(
  server: ServerInfo,
  { tools, prompts }: Readonly<Record<'tools' | 'prompts', readonly ListedFeature[]>>,
) {
  const { publicUrl, version } = server;
  const identity = identityOf(server);
  const endpoint = publicUrl + MCP_PATH;
  return {
    serverCard: {
      $schema: SCHEMA,
      ...identity,
      // The schema has no field for capabilities.
      _meta: { [`${identity.name.split('/')[0]}/capabilities`]: CAPABILITIES },
      remotes: [{ type: 'streamable-http', url: endpoint, supportedProtocolVersions: PROTOCOL_VERSIONS }],
    },
    // Earlier proposals had no common schema. These are the fields of SEP-1649 and of the plain manifest.
    manifest: {
      ...identity,
      endpoint,
      protocolVersion: PROTOCOL_VERSIONS[0],
      serverInfo: { name: identity.name, title: identity.title, version },
      transport: { type: 'streamable-http', endpoint },
      authentication: { required: false },
      capabilities: CAPABILITIES,
      tools: tools.map(listFeature),
      prompts: prompts.map(listFeature),
    },
    catalogEntry: {
      identifier: `urn:air:${publisherOf(publicUrl)}:mcp:${PROGRAM}`,
      displayName: TITLE,
      description: DESCRIPTION,
      type: CARD_TYPE,
      url: `${endpoint}/server-card`,
      representativeQueries: QUERIES,
    },
  };
}

function listFeature({ name, title, description }: ListedFeature) {
  return { name, title, description };
}

/** Returns the publishing host, for a reverse-DNS name and a URN. IP addresses, which have no such name, count as localhost. */
function publisherOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname) !== 0 || hostname.startsWith('[') ? 'localhost' : hostname;
}
