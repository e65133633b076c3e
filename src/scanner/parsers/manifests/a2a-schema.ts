import { BOOLEAN, listOf, mapOf, OBJECT, objectOf, type Schema, STRING, STRINGS, TEXT, validatorOf } from './schema.js';

/** AgentCard, in what A2A 1.0 (a2a.proto) and 0.3 (a2a.json) agree on. */
const REQUIRED = 'name description version defaultInputModes defaultOutputModes capabilities skills';
const CARD = {
  name: TEXT,
  description: STRING,
  version: TEXT,
  defaultInputModes: STRINGS,
  defaultOutputModes: STRINGS,
  iconUrl: STRING,
  documentationUrl: STRING,
  provider: objectOf('organization url', { organization: STRING, url: STRING }),
  signatures: listOf(
    'signature',
    objectOf('protected signature', { protected: STRING, signature: STRING, header: OBJECT }),
  ),
};
const CAPABILITIES = { streaming: BOOLEAN, pushNotifications: BOOLEAN };
const EXTENSION = { uri: STRING, description: STRING, required: BOOLEAN, params: OBJECT };
const SKILL_REQUIRED = 'id name description tags';
const SKILL = {
  id: TEXT,
  name: TEXT,
  description: STRING,
  tags: STRINGS,
  examples: STRINGS,
  inputModes: STRINGS,
  outputModes: STRINGS,
};

const HTTP_AUTH = objectOf('scheme', { description: STRING, scheme: STRING, bearerFormat: STRING });
const OPEN_ID = objectOf('openIdConnectUrl', { description: STRING, openIdConnectUrl: STRING });
/** The content of flows is between the agent and its clients. */
const OAUTH2 = objectOf('flows', { description: STRING, flows: OBJECT, oauth2MetadataUrl: STRING });

const REQUIREMENTS = listOf(
  'security requirement',
  objectOf('', { schemes: mapOf('scheme', objectOf('', { list: STRINGS })) }),
);

/** AgentCard of A2A 1.0, but for the URL of an interface, whose form depends on the binding. */
export const findCurrentProblems = validatorOf(
  objectOf(`${REQUIRED} supportedInterfaces`, {
    ...CARD,
    capabilities: objectOf('', {
      ...CAPABILITIES,
      extendedAgentCard: BOOLEAN,
      extensions: listOf('extension', objectOf('', EXTENSION)),
    }),
    skills: listOf('skill', objectOf(SKILL_REQUIRED, { ...SKILL, securityRequirements: REQUIREMENTS })),
    supportedInterfaces: {
      ...listOf(
        'interface',
        objectOf('protocolBinding protocolVersion', { protocolBinding: TEXT, protocolVersion: TEXT, tenant: STRING }),
      ),
      minItems: 1,
    },
    securityRequirements: REQUIREMENTS,
    securitySchemes: mapOf(
      'security scheme',
      objectOf('', {
        apiKeySecurityScheme: objectOf('location name', { description: STRING, location: STRING, name: STRING }),
        httpAuthSecurityScheme: HTTP_AUTH,
        oauth2SecurityScheme: OAUTH2,
        openIdConnectSecurityScheme: OPEN_ID,
        mtlsSecurityScheme: objectOf('', { description: STRING }),
      }),
    ),
  }),
);

const OLDER_SECURITY = listOf('security requirement', mapOf('scheme', STRINGS));

/** SecurityScheme of A2A 0.3, which is that of OpenAPI 3.0: by its `type`. */
const OLDER_SCHEMES: Readonly<Record<string, Schema>> = {
  apiKey: objectOf('in name', { description: STRING, in: { enum: ['cookie', 'header', 'query'] }, name: STRING }),
  http: HTTP_AUTH,
  oauth2: OAUTH2,
  openIdConnect: OPEN_ID,
  mutualTLS: objectOf('', { description: STRING }),
};

/** AgentCard of A2A 0.3, but for `url`. `protocolVersion` has a default. */
export const findOlderProblems = validatorOf(
  objectOf(REQUIRED, {
    ...CARD,
    capabilities: objectOf('', {
      ...CAPABILITIES,
      stateTransitionHistory: BOOLEAN,
      extensions: listOf('extension', objectOf('uri', EXTENSION)),
    }),
    skills: listOf('skill', objectOf(SKILL_REQUIRED, { ...SKILL, security: OLDER_SECURITY })),
    protocolVersion: STRING,
    preferredTransport: STRING,
    additionalInterfaces: listOf('additional interface', objectOf('transport url', { transport: STRING, url: STRING })),
    supportsAuthenticatedExtendedCard: BOOLEAN,
    security: OLDER_SECURITY,
    securitySchemes: mapOf('security scheme', {
      ...objectOf('type', { type: { enum: Object.keys(OLDER_SCHEMES) } }),
      allOf: Object.entries(OLDER_SCHEMES).map(([type, scheme]) => ({
        if: objectOf('type', { type: { enum: [type] } }),
        then: scheme,
      })),
    }),
  }),
);
