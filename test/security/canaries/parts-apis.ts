import type { FixtureRoute } from '../../support/fixture-site.js';
import { FOREIGN_HOST, MARKER, MARKER_HOST, PATH, SPEECH } from './marker.js';
import { brokenAt, document, ENDPOINTS } from './parts-endpoints.js';
import { failing, json, ORIGIN, status, type Piece, type Variants } from './piece.js';

const API_PATH = '/.well-known/api-catalog';
const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const SERVER_PATH = '/.well-known/oauth-authorization-server';
const OPENID_PATH = '/.well-known/openid-configuration';
const DESCRIPTION = `/${MARKER}/api.json`;
const openApi = (more: object = {}): object => ({
  openapi: '3.1.0',
  info: { title: SPEECH, version: MARKER, description: SPEECH },
  paths: { [`/${MARKER}`]: { get: { operationId: MARKER, summary: SPEECH } } },
  tags: [{ name: MARKER }],
  ...more,
});
const context = (more: object = {}): object => ({
  anchor: `${ORIGIN}${PATH}`,
  'service-desc': [{ href: DESCRIPTION, type: MARKER, title: SPEECH, [MARKER]: MARKER }],
  'service-doc': [{ href: `${ORIGIN}/b-${MARKER}` }],
  ...more,
});
const linkset = (contexts: readonly unknown[], route: FixtureRoute = { body: json(openApi()) }): Piece =>
  document(
    API_PATH,
    { linkset: contexts, [MARKER]: MARKER },
    { type: `application/linkset+json; profile="${MARKER}"` },
    { [DESCRIPTION]: route },
  );
const server = (more: object = {}): object => ({
  issuer: ORIGIN,
  authorization_endpoint: `${ORIGIN}${PATH}`,
  token_endpoint: `${ORIGIN}${PATH}`,
  response_types_supported: [MARKER],
  scopes_supported: [SPEECH],
  [MARKER]: MARKER,
  ...more,
});

/** A description that nothing names, alongside documentation for people. */
const documented = (path: string, body: string): Piece => ({
  ...document(path, body, {}, { [`/docs/api/${MARKER}`]: SPEECH }),
  body: `<a href="/docs/api/${MARKER}#${MARKER}">${SPEECH}</a>`,
});

export const API_VARIANTS: Variants = {
  sound: linkset([context()]),
  absent: {},
  ...Object.fromEntries(
    Object.entries(ENDPOINTS).map(([name, route]) => [`description-${name}`, linkset([context()], route)]),
  ),
  noLinkset: document(API_PATH, { [MARKER]: MARKER }),
  wrongContexts: linkset([
    MARKER,
    {},
    context({ anchor: undefined }),
    context({ anchor: 5 }),
    context({ [MARKER]: MARKER, 'service-doc': [{ [MARKER]: 1 }] }),
  ]),
  otherRelations: linkset([{ anchor: MARKER, [MARKER]: [{ href: MARKER }] }]),
  items: linkset([{ item: [{ href: `https://${MARKER_HOST}${PATH}` }, { href: `/${MARKER}/{${MARKER}}` }] }]),
  manyLinks: linkset([
    context({ 'service-doc': Array.from({ length: 9 }, (_, at) => ({ href: `/${MARKER}/${at}` })) }),
  ]),
  resource: document(RESOURCE_PATH, { resource: `${ORIGIN}/`, authorization_servers: [MARKER], resource_name: SPEECH }),
  wrongResource: document(RESOURCE_PATH, {
    resource: `https://${MARKER_HOST}/#${MARKER}`,
    authorization_servers: MARKER,
  }),
  server: document(SERVER_PATH, server()),
  foreignServer: document(SERVER_PATH, server({ issuer: `https://${FOREIGN_HOST}/${MARKER}` })),
  emptyServer: document(OPENID_PATH, { [MARKER]: MARKER, grant_types_supported: [MARKER, 'implicit'] }),
  resourceRefused: {
    routes: { [RESOURCE_PATH]: status(403), [SERVER_PATH]: status(500), [OPENID_PATH]: failing('stalled') },
  },
  serverNoJson: document(SERVER_PATH, SPEECH),
  severalFaults: {
    routes: {
      [RESOURCE_PATH]: `{"${MARKER}"`,
      [SERVER_PATH]: json({}),
      [OPENID_PATH]: json(server({ issuer: MARKER })),
      [API_PATH]: json({}),
    },
  },
  twoFaults: { routes: { [RESOURCE_PATH]: `{"${MARKER}"`, [SERVER_PATH]: json({}) } },
  unnamedApi: document('/openapi.json', openApi()),
  documentedApi: documented('/openapi.json', json(openApi())),
  documentedYaml: documented(
    '/openapi.yaml',
    `openapi: 3.1.0\ninfo:\n  title: ${MARKER}\n  version: ${MARKER}\npaths:\n  /${MARKER}:\n    get: {}\n`,
  ),
  documentedSwagger: documented(
    '/swagger.json',
    json({ swagger: '2.0', info: { title: MARKER }, paths: { [`/${MARKER}`]: {} }, host: 'www.fixture-aviary.com' }),
  ),
  foreignApi: document('/openapi.json', openApi({ servers: [{ url: `https://${MARKER_HOST}/` }] })),
  namedApi: { ...document('/openapi.json', openApi()), body: `<a href="/openapi.json#${MARKER}">${MARKER}</a>` },
  catalogGone: { homeHeaders: { link: `</${MARKER}/catalog>; rel="api-catalog"; title="${MARKER}"` } },
  wellKnownGone: { homeHeaders: { link: `<${API_PATH}>; rel="api-catalog"; title="${MARKER}"` } },
  wellKnownMetadataGone: {
    homeHeaders: { 'www-authenticate': `Bearer resource_metadata="${ORIGIN}${RESOURCE_PATH}", error="${MARKER}"` },
  },
  metadataGone: {
    homeHeaders: { 'www-authenticate': `Bearer resource_metadata="${ORIGIN}/${MARKER}/metadata", error="${MARKER}"` },
  },
  ...brokenAt(API_PATH),
};
