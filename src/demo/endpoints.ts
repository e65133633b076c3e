import { randomUUID } from 'node:crypto';
import { MCP_SERVER } from './machine-documents.js';
import { OPENING_HOURS, SITE_NAME } from './pages.js';

/** What a method of an endpoint answers: its result, or null where there is no such method. */
type Methods = (method: string) => object | null;

const HOURS = `${SITE_NAME} is open ${OPENING_HOURS.map(({ days, opens, closes }) => `${days} from ${opens} to ${closes}`).join(', ')}.`;
const TOOL = {
  name: 'opening_hours',
  description: 'Says when the bakery is open.',
  inputSchema: { type: 'object', properties: {} },
};
const CAPABILITIES = { tools: {} };
const INSTRUCTIONS = 'Ask opening_hours before you send anyone to the bakery.';

/** The Model Context Protocol, as far as one tool needs it. */
const mcp: Methods = (method) => {
  switch (method) {
    case 'server/discover':
      return {
        resultType: 'complete',
        supportedVersions: ['2026-07-28', '2025-06-18'],
        serverInfo: MCP_SERVER,
        capabilities: CAPABILITIES,
        instructions: INSTRUCTIONS,
      };
    case 'initialize':
      return {
        protocolVersion: '2025-06-18',
        serverInfo: MCP_SERVER,
        capabilities: CAPABILITIES,
        instructions: INSTRUCTIONS,
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: [TOOL] };
    case 'tools/call':
      return { content: [{ type: 'text', text: HOURS }] };
    default:
      return null;
  }
};

/** The Agent2Agent protocol, as far as an agent needs it that gives one answer. */
const a2a: Methods = (method) =>
  method === 'SendMessage'
    ? { message: { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text: HOURS }] } }
    : null;

/** The live endpoints of the demonstration site: JSON-RPC 2.0 over POST. */
export const ENDPOINTS: ReadonlyMap<string, Methods> = new Map([
  ['/mcp', mcp],
  ['/a2a', a2a],
]);

/** Answers one JSON-RPC request; null for a notification, which gets no answer. */
export function answerJsonRpc(methods: Methods, body: string): object | null {
  const request = parseRequest(body);
  if (request === null) return failure(null, -32600, 'Not a JSON-RPC 2.0 request');
  const { id, method } = request;
  if (id === undefined) return null;
  const result = methods(method);
  return result === null ? failure(id, -32601, 'There is no such method') : { jsonrpc: '2.0', id, result };
}

function parseRequest(body: string): { readonly id: unknown; readonly method: string } | null {
  try {
    const value = JSON.parse(body) as unknown;
    if (typeof value !== 'object' || value === null || !('method' in value) || typeof value.method !== 'string')
      return null;
    return { id: 'id' in value ? value.id : undefined, method: value.method };
  } catch {
    return null;
  }
}

function failure(id: unknown, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
