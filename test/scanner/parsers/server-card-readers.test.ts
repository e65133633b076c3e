import t from 'tap';
import { readMcpCard } from '../../../src/scanner/parsers/manifests/mcp.js';

const REMOTE = { type: 'streamable-http', url: 'https://desk.example/mcp' };
const CARD = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: 'com.harbour-kiosk/berths',
  version: '4.0.2',
  description: 'Finds a free berth.',
  remotes: [REMOTE],
};

type Ours = 'valid' | 'invalid';

/**
 * Cards in which these members are others, and whether `ServerCard` of the MCP card extension's schema.json (24 July 2026, commit
 * 8924e08) takes them, by jsonschema 4.26.0 for Python. That a version is not a range stands in the description of `version` alone.
 */
const CASES: readonly (readonly [what: string, changes: object, isTaken: boolean, ours: Ours])[] = [
  ['whole', {}, true, 'valid'],
  ['the older transport', { remotes: [{ ...REMOTE, type: 'sse' }] }, true, 'valid'],
  ['a transport by its protocol', { remotes: [{ ...REMOTE, type: 'http' }] }, false, 'invalid'],
  ['a transport with an underscore', { remotes: [{ ...REMOTE, type: 'streamable_http' }] }, false, 'invalid'],
  ['a transport in capitals', { remotes: [{ ...REMOTE, type: 'SSE' }] }, false, 'invalid'],
  ['a transport that no site offers', { remotes: [{ ...REMOTE, type: 'stdio' }] }, false, 'invalid'],
  ['a templated address', { remotes: [{ ...REMOTE, url: '{base}/mcp' }] }, true, 'valid'],
  ['a relative address', { remotes: [{ ...REMOTE, url: '/mcp' }] }, false, 'invalid'],
  ['a version of 255 characters', { version: '1'.repeat(255) }, true, 'valid'],
  ['a version of 256 characters', { version: '1'.repeat(256) }, false, 'valid'],
  ['a description of 101 characters', { description: 'a'.repeat(101) }, false, 'valid'],
  ...['2026-11-23', 'latest', 'v4', '4.0.2-rc.1+build.7', '4.0-linux', '1.2.3 - 2.0.0', '=4.0.2', 'x', '4.0.2x'].map(
    (version) => [`the version ${version}`, { version }, true, 'valid'] as const,
  ),
  ...['^4.0.2', '~4', '>=4.0.2', '> 4', '<5.0.0', '>=4.0.0 <5', '^4 || ^5', '4.x', '4.0.X', 'v4.*', '4.x.x'].map(
    (version) => [`the range ${version}`, { version }, true, 'invalid'] as const,
  ),
];

t.test('a server card is taken as its schema says, but for its lengths, which no client enforces', async (t) => {
  for (const [what, changes, isTaken, ours] of CASES) {
    const reading = readMcpCard(JSON.stringify({ ...CARD, ...changes }), new URL('https://desk.example/card'));
    if (reading.kind !== 'read') throw new Error(reading.kind);
    t.equal(reading.value.problems.length > 0 ? 'invalid' : 'valid', ours, what);
    t.ok(isTaken || ours !== 'valid' || /characters/.test(what), what);
  }
});
