/**
 * What the readers of A2A's own Python SDK say of a card: a2a-sdk 1.3.0 and 1.0.0 (`parse_agent_card`) and, of cards of A2A 0.3, also
 * 0.3.26 (`AgentCard.model_validate`). `none`: the card is read, but no interface is found in it.
 */
type Answers = string;

/** A card in which these members are others; undefined takes one away. `law`: what says so where a reader of that version takes the card. */
type Case = [what: string, changes: object, ours: 'valid' | 'invalid', answers: Answers, law?: string | undefined];

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
export const CURRENT_CARD = { ...CARD, supportedInterfaces: [INTERFACE] };
export const OLDER_CARD = {
  ...CARD,
  url: 'https://desk.example/a2a',
  protocolVersion: '0.3.0',
  preferredTransport: 'JSONRPC',
};

/** Of either version: the answers to a card of 1.0, then those to one of 0.3. */
const COMMON: readonly [
  ...what: [string, object, 'valid' | 'invalid'],
  current: Answers,
  older: Answers,
  law?: string | undefined,
][] = [
  ['whole', {}, 'valid', 'yes yes', 'yes yes yes'],
  [
    'streaming is a string',
    { capabilities: { streaming: 'yes' } },
    'invalid',
    'no no',
    'no no yes',
    'AgentCapabilities.streaming is a boolean',
  ],
  ['pushNotifications is a number', { capabilities: { pushNotifications: 7 } }, 'invalid', 'no no', 'no no no'],
  ['iconUrl is a number', { iconUrl: 5 }, 'invalid', 'no no', 'no no no'],
  ['documentationUrl is an object', { documentationUrl: { href: '/docs' } }, 'invalid', 'no no', 'no no no'],
  ['provider is a string', { provider: 'o' }, 'invalid', 'yes yes', 'yes yes no', 'AgentProvider is an object'],
  [
    'provider has a list for its name',
    { provider: { organization: ['Harbour'], url: 'https://desk.example/' } },
    'invalid',
    'no no',
    'no no no',
  ],
  [
    'provider without url',
    { provider: { organization: 'Harbour' } },
    'invalid',
    'yes yes',
    'yes yes no',
    'AgentProvider.url is required',
  ],
  ['examples are a string', { skills: [{ ...SKILL, examples: 'x' }] }, 'invalid', 'no no', 'no no no'],
  [
    'inputModes hold a number',
    { skills: [{ ...SKILL, inputModes: ['text/plain', 1] }] },
    'invalid',
    'no no',
    'no no no',
  ],
  ['tags are a map', { skills: [{ ...SKILL, tags: { a: 'b' } }] }, 'invalid', 'no no', 'no no no'],
  ['extensions are an object', { capabilities: { extensions: {} } }, 'invalid', 'no no', 'no no no'],
  [
    'params of an extension are a list',
    { capabilities: { extensions: [{ uri: 'https://desk.example/x', params: [1] }] } },
    'invalid',
    'no no',
    'no no no',
  ],
  [
    'signatures are strings',
    { signatures: ['x'] },
    'invalid',
    'yes yes',
    'yes yes no',
    'AgentCardSignature is an object',
  ],
  ['securitySchemes are a list', { securitySchemes: ['bearer'] }, 'invalid', 'no no', 'no no no'],
  ['members of no version', { capabilities: { memory: 'long' }, 'x-team': 5 }, 'valid', 'yes yes', 'yes yes yes'],
  [
    'null for what is optional',
    {
      capabilities: { streaming: null, extensions: null },
      skills: [{ ...SKILL, examples: null, inputModes: null }],
      iconUrl: null,
      provider: null,
      signatures: null,
      securitySchemes: null,
    },
    'valid',
    'yes yes',
    'yes yes yes',
  ],
  ['null for what is required', { version: null }, 'invalid', 'yes yes', 'yes yes no', 'AgentCard.version is required'],
  ['null in a list', { skills: [{ ...SKILL, tags: [null] }] }, 'invalid', 'no no', 'no no no'],
  ['no skills', { skills: [] }, 'valid', 'yes yes', 'yes yes yes'],
  ['no modes', { defaultInputModes: [], defaultOutputModes: [] }, 'valid', 'yes yes', 'yes yes yes'],
  ['no tags', { skills: [{ ...SKILL, tags: [] }] }, 'valid', 'yes yes', 'yes yes yes'],
  ['an empty description', { description: '' }, 'valid', 'yes yes', 'yes yes yes'],
  ['an empty description of a skill', { skills: [{ ...SKILL, description: '' }] }, 'valid', 'yes yes', 'yes yes yes'],
];

const OF_CURRENT: readonly Case[] = [
  ['tenant is a number', { supportedInterfaces: [{ ...INTERFACE, tenant: 5 }] }, 'invalid', 'no no'],
  ['tenant is null', { supportedInterfaces: [{ ...INTERFACE, tenant: null }] }, 'valid', 'yes yes'],
  ['extendedAgentCard is a string', { capabilities: { extendedAgentCard: 'true' } }, 'invalid', 'no no'],
  [
    "a scheme's location is a list",
    { securitySchemes: { key: { apiKeySecurityScheme: { name: 'k', location: ['header'] } } } },
    'invalid',
    'no no',
  ],
  [
    "a requirement's scopes are a string",
    { securityRequirements: [{ schemes: { key: { list: 'read' } } }] },
    'invalid',
    'no no',
  ],
  [
    'a scheme of each kind',
    {
      securitySchemes: {
        a: { apiKeySecurityScheme: { name: 'k', location: 'header' } },
        b: { httpAuthSecurityScheme: { scheme: 'bearer' } },
        c: {
          oauth2SecurityScheme: {
            flows: { clientCredentials: { tokenUrl: 'https://desk.example/t', scopes: { read: 'Read' } } },
          },
        },
        d: { mtlsSecurityScheme: {} },
      },
      securityRequirements: [{ schemes: { a: { list: [] } } }],
    },
    'valid',
    'yes yes',
  ],
  ['a scheme in the form of 0.3', { securitySchemes: { b: { type: 'http', scheme: 'bearer' } } }, 'valid', 'yes yes'],
  ['stateTransitionHistory, which 0.3 had', { capabilities: { stateTransitionHistory: true } }, 'valid', 'yes yes'],
  ['an empty supportedInterfaces', { supportedInterfaces: [] }, 'invalid', 'none none'],
  ['supportedInterfaces is an object', { supportedInterfaces: INTERFACE }, 'invalid', 'no no'],
  ['an extension without uri', { capabilities: { extensions: [{ description: 'x' }] } }, 'valid', 'yes yes'],
];

const OF_OLDER: readonly Case[] = [
  [
    'stateTransitionHistory is a string',
    { capabilities: { stateTransitionHistory: 'no' } },
    'invalid',
    'yes yes yes',
    'AgentCapabilities.stateTransitionHistory is a boolean',
  ],
  ['additionalInterfaces are strings', { additionalInterfaces: ['https://desk.example/grpc'] }, 'invalid', 'no no no'],
  ['preferredTransport is a list', { preferredTransport: ['JSONRPC'] }, 'invalid', 'no no no'],
  ['protocolVersion is a number', { protocolVersion: 0.3 }, 'invalid', 'no no no'],
  [
    'supportsAuthenticatedExtendedCard is a string',
    { supportsAuthenticatedExtendedCard: 'sometimes' },
    'invalid',
    'yes yes no',
  ],
  ['security is a map', { security: { key: [] } }, 'invalid', 'no no no'],
  [
    'a scheme of no type',
    { securitySchemes: { key: { scheme: 'bearer' } } },
    'invalid',
    'yes yes yes',
    'SecurityScheme.type is required',
  ],
  [
    'a key in the body',
    { securitySchemes: { key: { type: 'apiKey', in: 'body', name: 'k' } } },
    'invalid',
    'yes yes no',
  ],
  [
    'a scheme of each kind',
    {
      securitySchemes: {
        a: { type: 'apiKey', in: 'header', name: 'k' },
        b: { type: 'http', scheme: 'bearer' },
        c: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: 'https://desk.example/t', scopes: { read: 'Read' } } },
        },
        d: { type: 'openIdConnect', openIdConnectUrl: 'https://desk.example/o' },
        e: { type: 'mutualTLS' },
      },
      security: [{ a: [] }],
    },
    'valid',
    'yes yes yes',
  ],
  ['no protocolVersion', { protocolVersion: undefined }, 'valid', 'yes yes yes'],
  [
    'null for protocolVersion and preferredTransport',
    { protocolVersion: null, preferredTransport: null },
    'valid',
    'none none yes',
  ],
  ['an extension without uri', { capabilities: { extensions: [{ description: 'x' }] } }, 'invalid', 'yes yes no'],
];

const OF_BOTH: readonly Case[] = [
  ['whole for either', {}, 'valid', 'yes yes yes'],
  ['empty supportedInterfaces alongside 0.3', { supportedInterfaces: [] }, 'valid', 'none none yes'],
  [
    'supportedInterfaces without binding alongside 0.3',
    { supportedInterfaces: [{ url: 'https://desk.example/a2a' }] },
    'valid',
    'none none yes',
  ],
  ['null for supportedInterfaces alongside 0.3', { supportedInterfaces: null }, 'valid', 'none none yes'],
  ['a wrong additionalInterfaces alongside 1.0', { additionalInterfaces: 'none' }, 'valid', 'yes yes no'],
  ['streaming is a string in both', { capabilities: { streaming: 'yes' } }, 'invalid', 'no no yes'],
];

/** The cases of each version, and the card that they change. */
export const AGENT_CARD_CASES: readonly (readonly [version: string, card: object, cases: readonly Case[]])[] = [
  [
    '1.0',
    CURRENT_CARD,
    COMMON.map(([what, changes, ours, current, , law]): Case => [what, changes, ours, current, law]),
  ],
  ['1.0', CURRENT_CARD, OF_CURRENT],
  ['0.3', OLDER_CARD, COMMON.map(([what, changes, ours, , older, law]): Case => [what, changes, ours, older, law])],
  ['0.3', OLDER_CARD, OF_OLDER],
  ['both', { ...CURRENT_CARD, ...OLDER_CARD }, OF_BOTH],
];
