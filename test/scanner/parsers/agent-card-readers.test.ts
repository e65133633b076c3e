import t from 'tap';
import { readAgentCard } from '../../../src/scanner/parsers/manifests/a2a.js';

const SKILL = { id: 'tides', name: 'Tides', description: 'Finds the next tide.', tags: ['tides'] };
const INTERFACE = { url: 'https://desk.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
const CARD = {
  name: 'Tide desk',
  description: 'Says when the tide turns.',
  version: '2.0.1',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [SKILL],
};
const CURRENT = { ...CARD, supportedInterfaces: [INTERFACE] };
const OLDER = { ...CARD, url: INTERFACE.url, protocolVersion: '0.3.0', preferredTransport: 'JSONRPC' };
const BOTH = { ...CURRENT, ...OLDER };

function read(card: object) {
  const reading = readAgentCard(JSON.stringify(card), new URL('https://desk.example/card'), false);
  if (reading.kind !== 'read') throw new Error(reading.kind);
  const { problems, value } = reading;
  return { problems: problems.map(({ text }) => text).join('; '), notes: value.notes.join(' ') };
}

const skillWith = (changes: object) => ({ skills: [{ ...SKILL, ...changes }] });
const able = (capabilities: object) => ({ capabilities });
const schemes = (securitySchemes: object) => ({ securitySchemes });
const interfaceWith = (changes: object) => ({ supportedInterfaces: [{ ...INTERFACE, ...changes }] });
const FLOWS = { clientCredentials: { tokenUrl: 'https://desk.example/t', scopes: { read: 'Read' } } };

/** What a card of either version may say instead, and may not. */
const VALID: readonly object[] = [
  {},
  { capabilities: { memory: 'long' }, 'x-team': 5 },
  {
    capabilities: { streaming: null, extensions: null },
    ...skillWith({ examples: null, inputModes: null }),
    ...{ iconUrl: null, provider: null, signatures: null, securitySchemes: null },
  },
  { skills: [] },
  { defaultInputModes: [], defaultOutputModes: [] },
  skillWith({ tags: [] }),
  { description: '' },
  skillWith({ description: '' }),
];
const INVALID: readonly object[] = [
  able({ streaming: 'yes' }),
  able({ pushNotifications: 7 }),
  { iconUrl: 5 },
  { documentationUrl: { href: '/docs' } },
  { provider: 'o' },
  { provider: { organization: ['Harbour'], url: 'https://desk.example/' } },
  { provider: { organization: 'Harbour' } },
  skillWith({ examples: 'x' }),
  skillWith({ inputModes: ['text/plain', 1] }),
  skillWith({ tags: { a: 'b' } }),
  able({ extensions: {} }),
  able({ extensions: [{ uri: 'https://desk.example/x', params: [1] }] }),
  { signatures: ['x'] },
  schemes(['bearer']),
  { version: null },
  skillWith({ tags: [null] }),
];

/** As the readers of A2A's own Python SDK take cards (a2a-sdk 1.3.0, 1.0.0 and, for 0.3, 0.3.26), or the letter of the standard. */
const CASES: [card: object, valid: readonly object[], invalid: readonly object[]][] = [
  [
    CURRENT,
    [
      ...VALID,
      interfaceWith({ tenant: null }),
      {
        ...schemes({
          a: { apiKeySecurityScheme: { name: 'k', location: 'header' } },
          b: { httpAuthSecurityScheme: { scheme: 'bearer' } },
          c: { oauth2SecurityScheme: { flows: FLOWS } },
          d: { mtlsSecurityScheme: {} },
        }),
        securityRequirements: [{ schemes: { a: { list: [] } } }],
      },
      schemes({ b: { type: 'http', scheme: 'bearer' } }),
      able({ stateTransitionHistory: true }),
      able({ extensions: [{ description: 'x' }] }),
    ],
    [
      ...INVALID,
      interfaceWith({ tenant: 5 }),
      able({ extendedAgentCard: 'true' }),
      schemes({ key: { apiKeySecurityScheme: { name: 'k', location: ['header'] } } }),
      { securityRequirements: [{ schemes: { key: { list: 'read' } } }] },
      { supportedInterfaces: [] },
      { supportedInterfaces: INTERFACE },
    ],
  ],
  [
    OLDER,
    [
      ...VALID,
      {
        ...schemes({
          a: { type: 'apiKey', in: 'header', name: 'k' },
          b: { type: 'http', scheme: 'bearer' },
          c: { type: 'oauth2', flows: FLOWS },
          d: { type: 'openIdConnect', openIdConnectUrl: 'https://desk.example/o' },
          e: { type: 'mutualTLS' },
        }),
        security: [{ a: [] }],
      },
      { protocolVersion: undefined },
      { protocolVersion: null, preferredTransport: null },
    ],
    [
      ...INVALID,
      able({ stateTransitionHistory: 'no' }),
      { additionalInterfaces: ['https://desk.example/grpc'] },
      { preferredTransport: ['JSONRPC'] },
      { protocolVersion: 0.3 },
      { supportsAuthenticatedExtendedCard: 'sometimes' },
      { security: { key: [] } },
      schemes({ key: { scheme: 'bearer' } }),
      schemes({ key: { type: 'apiKey', in: 'body', name: 'k' } }),
      able({ extensions: [{ description: 'x' }] }),
    ],
  ],
  [
    BOTH,
    [
      {},
      { supportedInterfaces: [] },
      { supportedInterfaces: [{ url: INTERFACE.url }] },
      { supportedInterfaces: null },
      { additionalInterfaces: 'none' },
    ],
    [able({ streaming: 'yes' })],
  ],
];

t.test('a card is taken as the SDKs of its version take it, or as the letter of the standard says', async (t) => {
  for (const [card, valid, invalid] of CASES) {
    for (const changes of valid) t.equal(read({ ...card, ...changes }).problems, '', JSON.stringify(changes));
    for (const changes of invalid) t.not(read({ ...card, ...changes }).problems, '', JSON.stringify(changes));
  }
});

t.test('what is wrong is named by the standard’s names and by positions', async (t) => {
  const schemesOfSite = { PLEASE: { mtlsSecurityScheme: {} }, OBEY: { httpAuthSecurityScheme: 1 } };
  const cases: [card: object, problems: string][] = [
    [{ ...CURRENT, ...able({ streaming: 'yes' }) }, '"capabilities" has an invalid "streaming"'],
    [{ ...CURRENT, provider: { organization: 'Harbour' } }, '"provider" lacks "url"'],
    [{ ...CURRENT, ...able({ extensions: [{}, { uri: 5 }] }) }, 'extension 2 of "capabilities" has an invalid "uri"'],
    [{ ...CURRENT, ...schemes(schemesOfSite) }, 'security scheme 2 has an invalid "httpAuthSecurityScheme"'],
    [{ ...OLDER, security: [{ OBEY: 'x' }] }, 'scheme 1 of security requirement 1 has the wrong type'],
    [{ ...OLDER, skills: ['x'] }, 'skill 1 has the wrong type'],
    [{ ...OLDER, url: undefined }, 'lacks "url"'],
    [{ ...CURRENT, supportedInterfaces: undefined }, 'lacks "supportedInterfaces"'],
    [{ ...CURRENT, supportedInterfaces: [] }, 'has an invalid "supportedInterfaces"'],
  ];
  for (const [card, problems] of cases) t.equal(read(card).problems, problems);
});

t.test('a card of both versions that fits only the older one is a remark', async (t) => {
  const unusable = 'Its "supportedInterfaces" cannot be used, so clients of A2A 1.0 find no interface.';
  const cases: [card: object, notes: string][] = [
    [CURRENT, ''],
    [OLDER, ''],
    [BOTH, ''],
    [{ ...BOTH, supportedInterfaces: [] }, unusable],
    [{ ...BOTH, supportedInterfaces: [{ url: INTERFACE.url, protocolBinding: 5 }] }, unusable],
    [{ ...BOTH, supportedInterfaces: null }, ''],
  ];
  for (const [card, notes] of cases) t.same(read(card), { problems: '', notes }, JSON.stringify(card));
});
