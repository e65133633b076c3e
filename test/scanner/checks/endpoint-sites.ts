import type { Test } from 'tap';
import type { Check } from '../../../src/scanner/verdict/check.js';
import type { FixtureAnswer, FixtureRequest, FixtureRoute } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';
import { type Expected, expectDetails, expectFindings, json, type Routes, url } from './expect-findings.js';

export const HOME = '<!doctype html><title>Home</title><p>Welcome</p>';

/** Judges sites with a home page, and with what each says. */
export const expectOn = (t: Test, check: Check, expected: Expected) =>
  expectFindings(t, check, { '/': HOME }, expected);
/** The same, of sites that are named by what the detail says. */
export const expectWords = (t: Test, check: Check, expected: Parameters<typeof expectDetails>[3]) =>
  expectDetails(t, check, { '/': HOME }, expected);

/** A home page that leads to these addresses. */
export const linking = (...paths: readonly string[]): Routes => ({
  '/': HOME + paths.map((path) => `<a href="${path}">x</a>`).join(''),
});
/** A home page whose Link header names this address. */
export const announcing = (path: string, rel: string): Routes => ({
  '/': { body: HOME, headers: { link: `<${path}>; rel="${rel}"` } },
});
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

export const SKILL = { id: 'orders', name: 'Orders', description: 'Says where an order is.', tags: ['orders'] };
export const INTERFACE = { url: url('/a2a'), protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
export const AGENT_CARD = {
  name: 'Shop agent',
  description: 'Answers questions about orders.',
  version: '1.0.0',
  supportedInterfaces: [INTERFACE],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [SKILL],
};
export const OLDER_CARD = { ...AGENT_CARD, supportedInterfaces: undefined, url: url('/a2a'), protocolVersion: '0.3.0' };
export const AGENT_PATH = '/.well-known/agent-card.json';
export const SERVER = {
  issuer: FIXTURE_ORIGIN,
  authorization_endpoint: url('/auth'),
  token_endpoint: url('/token'),
  response_types_supported: ['code'],
};
