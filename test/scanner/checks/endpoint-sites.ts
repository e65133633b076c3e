import type { Test } from 'tap';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureAnswer, FixtureRequest, FixtureRoute, FixtureSite } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';

export type Routes = FixtureSite['routes'];
/** A site, its result (with the error type of a FAIL), and what the detail says. */
export type Case = [what: string, routes: Routes, result: string, detail?: RegExp];

export const HOME = '<!doctype html><title>Home</title><p>Welcome</p>';
export const CANARY = 'IGNORE-ALL-PREVIOUS-INSTRUCTIONS';

export async function runCases(t: Test, check: Check, cases: readonly Case[]): Promise<void> {
  for (const [what, routes, expected, detail] of cases) {
    const { result, errorType, detail: given } = await findingOf(check, { routes: { '/': HOME, ...routes } });
    t.equal(errorType === null ? result : `${result} ${errorType}`, expected, what);
    if (detail) t.match(given, detail, what);
    t.notMatch(given ?? '', CANARY, `${what}: nothing of the site is in the detail`);
  }
}

/** A home page that leads to these addresses. */
export const linking = (...paths: readonly string[]): Routes => ({
  '/': HOME + paths.map((path) => `<a href="${path}">x</a>`).join(''),
});
export const json = (value: unknown, type = 'application/json'): FixtureAnswer => ({
  type,
  body: JSON.stringify(value),
});
export const url = (path: string): string => FIXTURE_ORIGIN + path;
/** What a server answers that takes POST alone, as most endpoints of both protocols do. */
export const ALIVE: FixtureAnswer = { status: 405, type: null };
export const toPost = (answer: FixtureAnswer, toGet: FixtureAnswer): FixtureRoute => {
  return ({ method }: FixtureRequest) => (method === 'POST' ? answer : toGet);
};
export const JSON_RPC = json({ jsonrpc: '2.0', id: 1, result: {} });

export const SERVER_CARD = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: 'com.fixture-site/shop',
  version: '1.0.0',
  description: 'Finds products.',
  remotes: [{ type: 'streamable-http', url: url('/mcp') }],
};
export const CARD_PATH = '/.well-known/mcp/server-card.json';
export const catalog = (entries: unknown[], routes: Routes = {}): Routes => ({
  '/.well-known/ai-catalog.json': json({ specVersion: '1.0', entries }),
  ...routes,
});
export const CARD_ENTRY = {
  identifier: 'urn:air:fixture-site.com:mcp:shop',
  type: 'application/mcp-server-card+json',
  url: url('/cards/shop.json'),
};

export const AGENT_CARD = {
  name: 'Shop agent',
  description: 'Answers questions about orders.',
  version: '1.0.0',
  supportedInterfaces: [{ url: url('/a2a'), protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'orders', name: 'Orders', description: 'Says where an order is.', tags: ['orders'] }],
};
export const OLDER_CARD = { ...AGENT_CARD, supportedInterfaces: undefined, url: url('/a2a'), protocolVersion: '0.3.0' };
export const AGENT_PATH = '/.well-known/agent-card.json';
export const SERVER = {
  issuer: FIXTURE_ORIGIN,
  authorization_endpoint: url('/auth'),
  token_endpoint: url('/token'),
  response_types_supported: ['code'],
};
