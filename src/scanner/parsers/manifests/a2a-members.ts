import type { Member } from './members.js';
import { listOf, mapOf, optional, required } from './members.js';
import { textOf } from './shape.js';

const DESCRIPTION = optional('description', 'string');

/** AgentCard, in what A2A 1.0 (a2a.proto) and 0.3 (a2a.json) agree on. */
const CARD = [
  required('name', 'text'),
  required('description', 'string'),
  required('version', 'text'),
  required('defaultInputModes', 'strings'),
  required('defaultOutputModes', 'strings'),
  optional('iconUrl', 'string'),
  optional('documentationUrl', 'string'),
  optional('provider', [required('organization', 'string'), required('url', 'string')]),
  optional(
    'signatures',
    listOf('signature', [
      required('protected', 'string'),
      required('signature', 'string'),
      optional('header', 'object'),
    ]),
  ),
];

const CAPABILITIES = [optional('streaming', 'boolean'), optional('pushNotifications', 'boolean')];

const EXTENSION = [DESCRIPTION, optional('required', 'boolean'), optional('params', 'object')];

const SKILL = [
  required('id', 'text'),
  required('name', 'text'),
  required('description', 'string'),
  required('tags', 'strings'),
  optional('examples', 'strings'),
  optional('inputModes', 'strings'),
  optional('outputModes', 'strings'),
];

const HTTP_AUTH = [DESCRIPTION, required('scheme', 'string'), optional('bearerFormat', 'string')];
const OPEN_ID = [DESCRIPTION, required('openIdConnectUrl', 'string')];

const [TOKEN_URL, REFRESH_URL] = [required('tokenUrl', 'string'), optional('refreshUrl', 'string')];
const SCOPES = mapOf('scope', 'string');
const CLIENT_FLOW = [TOKEN_URL, REFRESH_URL, required('scopes', SCOPES)];
const CODE_FLOW = [required('authorizationUrl', 'string'), ...CLIENT_FLOW];

/** What A2A 1.0 keeps of the implicit and the password flow. */
const DEPRECATED_FLOW = [
  optional('authorizationUrl', 'string'),
  optional('tokenUrl', 'string'),
  REFRESH_URL,
  optional('scopes', SCOPES),
];

function oauth2(...flows: readonly Member[]): readonly Member[] {
  return [DESCRIPTION, required('flows', flows), optional('oauth2MetadataUrl', 'string')];
}

const CURRENT_REQUIREMENTS = optional(
  'securityRequirements',
  listOf('security requirement', [optional('schemes', mapOf('scheme', [optional('list', 'strings')]))]),
);

const CURRENT_SCHEME = [
  optional('apiKeySecurityScheme', [DESCRIPTION, required('location', 'string'), required('name', 'string')]),
  optional('httpAuthSecurityScheme', HTTP_AUTH),
  optional(
    'oauth2SecurityScheme',
    oauth2(
      optional('authorizationCode', [...CODE_FLOW, optional('pkceRequired', 'boolean')]),
      optional('clientCredentials', CLIENT_FLOW),
      optional('deviceCode', [required('deviceAuthorizationUrl', 'string'), ...CLIENT_FLOW]),
      optional('implicit', DEPRECATED_FLOW),
      optional('password', DEPRECATED_FLOW),
    ),
  ),
  optional('openIdConnectSecurityScheme', OPEN_ID),
  optional('mtlsSecurityScheme', [DESCRIPTION]),
];

/** AgentCard of A2A 1.0 (a2a.proto), but for `supportedInterfaces`. */
export const CURRENT_CARD: readonly Member[] = [
  ...CARD,
  required('capabilities', [
    ...CAPABILITIES,
    optional('extendedAgentCard', 'boolean'),
    optional('extensions', listOf('extension', [optional('uri', 'string'), ...EXTENSION])),
  ]),
  required('skills', listOf('skill', [...SKILL, CURRENT_REQUIREMENTS])),
  CURRENT_REQUIREMENTS,
  optional('securitySchemes', mapOf('security scheme', CURRENT_SCHEME)),
];

/** AgentInterface of A2A 1.0, but for `url`, whose form depends on the binding. */
export const CURRENT_INTERFACE: readonly Member[] = [
  required('protocolBinding', 'text'),
  required('protocolVersion', 'text'),
  optional('tenant', 'string'),
];

const OLDER_SECURITY = optional('security', listOf('security requirement', mapOf('scheme', 'strings')));

/** SecurityScheme of A2A 0.3, which is that of OpenAPI 3.0: by its `type`. */
const OLDER_SCHEMES: ReadonlyMap<string, readonly Member[]> = new Map([
  ['apiKey', [DESCRIPTION, required('in', new Set(['cookie', 'header', 'query'])), required('name', 'string')]],
  ['http', HTTP_AUTH],
  [
    'oauth2',
    oauth2(
      optional('authorizationCode', CODE_FLOW),
      optional('clientCredentials', CLIENT_FLOW),
      optional('implicit', [required('authorizationUrl', 'string'), REFRESH_URL, required('scopes', SCOPES)]),
      optional('password', CLIENT_FLOW),
    ),
  ],
  ['openIdConnect', OPEN_ID],
  ['mutualTLS', [DESCRIPTION]],
]);
const UNKNOWN_SCHEME = [required('type', new Set(OLDER_SCHEMES.keys()))];

/** AgentCard of A2A 0.3 (a2a.json), but for `url`. `protocolVersion` has a default. */
export const OLDER_CARD: readonly Member[] = [
  ...CARD,
  required('capabilities', [
    ...CAPABILITIES,
    optional('stateTransitionHistory', 'boolean'),
    optional('extensions', listOf('extension', [required('uri', 'string'), ...EXTENSION])),
  ]),
  required('skills', listOf('skill', [...SKILL, OLDER_SECURITY])),
  optional('protocolVersion', 'string'),
  optional('preferredTransport', 'string'),
  optional(
    'additionalInterfaces',
    listOf('additional interface', [required('transport', 'string'), required('url', 'string')]),
  ),
  optional('supportsAuthenticatedExtendedCard', 'boolean'),
  OLDER_SECURITY,
  optional(
    'securitySchemes',
    mapOf('security scheme', (scheme) => OLDER_SCHEMES.get(textOf(scheme.get('type')) ?? '') ?? UNKNOWN_SCHEME),
  ),
];
