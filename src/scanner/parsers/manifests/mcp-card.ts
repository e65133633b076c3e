import { type SafeText, safeText } from '../../artifacts/safe-text.js';
import { ADDRESS, listOf, objectOf, TEXT, validatorOf } from './schema.js';
import type { Part } from './shape.js';

/** A URL of an MCP server that can be probed; templates are excluded. */
export interface McpEndpoint {
  readonly name: SafeText;
  readonly url: URL;
}

export interface McpCard {
  readonly problems: readonly SafeText[];
  readonly endpoints: readonly McpEndpoint[];
  /** Advice on the card, as sentences. */
  readonly notes: readonly SafeText[];
}

/** The server card of SEP-2127. No client enforces the schema's limits on the length of texts. */
const findProblems = validatorOf(
  objectOf('$schema name version description', {
    $schema: {
      type: 'string',
      pattern: '^https://static\\.modelcontextprotocol\\.io/schemas/v\\d{1,4}/server-card\\.schema\\.json$',
    },
    name: { type: 'string', maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    version: TEXT,
    description: TEXT,
    remotes: listOf('remote', objectOf('type url', { type: { enum: ['sse', 'streamable-http'] }, url: ADDRESS })),
  }),
);

/**
 * The forms of versions that the schema refuses as ranges: a comparator before it (`^1.2.3`, `~1.2.3`, `>=1.2.3`), or parts that may be
 * anything (`1.x`, `1.*`). It allows any other version, semantic or not.
 */
const RANGE = /^\s*(?:[<>^~]=?\s*v?\d|v?\d[\d.]*(?<=\d)\.[xX*][.xX*]*\s*$)/;

export function readServerCard(card: Part): McpCard {
  const problems = [...findProblems(card)];
  const version = card.at('version');
  if (RANGE.test(version.text ?? '')) problems.push(version.fault(safeText`has a range in "version", not one version`));
  const endpoints = card.items('remotes', safeText`remote`).flatMap((remote): McpEndpoint[] => {
    const address = remote.at('url');
    const url = address.webUrl();
    return url === null ? [] : [{ name: address.pointFrom(remote.name ?? safeText`remote`), url }];
  });
  return { problems, endpoints, notes: [] };
}

/** True if a document claims to be a SEP-2127 card. */
export function isServerCard(document: Part): boolean {
  const schema = document.at('$schema').text ?? '';
  return document.at('remotes').value !== undefined || schema.includes('server-card.schema.json');
}
