import type { FixtureAnswer, FixtureRoute } from '../../support/fixture-site.js';
import { HEADER_SPEECH, MARKER, MARKER_HOST, PATH, SPEECH } from './marker.js';
import { faultsAt } from './parts-files.js';
import {
  CHALLENGE,
  failing,
  html,
  json,
  JSON_RPC,
  ORIGIN,
  POST_ONLY,
  redirect,
  status,
  type Piece,
  type Variants,
} from './piece.js';

/** What an endpoint can answer. */
export const ENDPOINTS: Readonly<Record<string, FixtureRoute>> = {
  post: POST_ONLY,
  rpc: JSON_RPC,
  stream: { type: 'text/event-stream', body: `event: ${MARKER}\ndata: ${SPEECH}\n\n` },
  page: html(''),
  missing: status(404),
  gone: status(410),
  failing: status(500),
  refused: status(403),
  legal: status(451),
  odd: status(418),
  busy: status(429),
  challenged: CHALLENGE,
  stalled: failing('stalled'),
  reset: failing('reset'),
  cut: { body: SPEECH, cut: true },
  untrusted: failing('tls_wrong_host'),
  moved: redirect(`https://${MARKER_HOST}${PATH}`),
  lost: redirect(`http://[${MARKER}`),
};

export const document = (
  path: string,
  value: unknown,
  more: Partial<FixtureAnswer> = {},
  routes: Piece['routes'] = {},
): Piece => ({
  routes: {
    [path]: { type: 'application/json', body: typeof value === 'string' ? value : json(value), ...more },
    ...routes,
  },
});
/** Each document's own ways of being no such thing. */
export const brokenAt = (path: string): Variants => ({
  noJson: document(path, `{"${MARKER}": ${MARKER}`),
  deep: document(path, '['.repeat(150) + ']'.repeat(150)),
  list: document(path, [MARKER, SPEECH]),
  proto: document(path, `{"__proto__": {"${MARKER}": "${MARKER}"}, "${MARKER}": {"${MARKER}": ["${MARKER}"]}}`),
  large: document(path, `{"${MARKER}": "${MARKER.repeat(100_000)}"}`),
  htmlTyped: document(path, { [MARKER]: MARKER }, { type: 'text/html' }),
  ...faultsAt([path]),
});

const CARD_PATH = '/.well-known/mcp/server-card.json';
const CATALOG_PATH = '/.well-known/ai-catalog.json';
const ARD_PATH = '/.well-known/ard.json';
const MCP_PATH = '/.well-known/mcp.json';
const ENDPOINT = `/${MARKER}/mcp`;

const serverCard = (more: object = {}): object => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: `com.${MARKER}/${MARKER}`,
  version: MARKER,
  description: SPEECH,
  remotes: [{ type: 'sse', url: ORIGIN + ENDPOINT, headers: [{ name: MARKER, value: SPEECH }] }],
  [MARKER]: SPEECH,
  ...more,
});
const catalog = (...entries: readonly unknown[]): object => ({
  specVersion: MARKER,
  host: { displayName: SPEECH },
  entries,
  [MARKER]: MARKER,
});
const catalogEntry = (more: object): object => ({
  identifier: `urn:${MARKER}`,
  displayName: SPEECH,
  type: 'application/mcp-server-card+json',
  tags: [MARKER],
  ...more,
});
const cardWith = (more: object, routes: Piece['routes'] = { [ENDPOINT]: POST_ONLY }): Piece =>
  document(CARD_PATH, serverCard(more), {}, routes);
const catalogWith = (entries: readonly unknown[], routes: Piece['routes'] = {}): Piece =>
  document(CATALOG_PATH, catalog(...entries), {}, { [ENDPOINT]: POST_ONLY, ...routes });
const LISTED_CARD = `/${MARKER}/card.json`;
const listedCard = (answer: FixtureRoute): Piece =>
  catalogWith([catalogEntry({ url: LISTED_CARD })], { [LISTED_CARD]: answer });
const advertise = (rel: string, target: string, type = MARKER.toLowerCase()): Pick<Piece, 'head' | 'homeHeaders'> => ({
  head: `<link rel="${rel} ${MARKER}" type="${type}" href="${target}">`,
  homeHeaders: { link: `<${target}>; rel="${rel} ${MARKER}"; type="${type}"; title="${HEADER_SPEECH}"` },
});

export const MCP_VARIANTS: Variants = {
  sound: cardWith({}),
  absent: {},
  ...Object.fromEntries(
    Object.entries(ENDPOINTS).map(([name, route]) => [`endpoint-${name}`, cardWith({}, { [ENDPOINT]: route })]),
  ),
  withoutRemotes: cardWith({ remotes: null }),
  wrongFields: cardWith({ $schema: MARKER, name: SPEECH, version: '', description: 7, remotes: MARKER }),
  wrongRemotes: cardWith({
    remotes: [
      MARKER,
      { type: MARKER },
      { url: MARKER },
      { type: '', url: `${MARKER}://${MARKER}` },
      { type: 'x', url: `https://{${MARKER}}/` },
    ],
  }),
  manyProblems: cardWith({ remotes: Array.from({ length: 80 }, () => MARKER) }),
  manyRemotes: cardWith(
    {
      remotes: ['post', 'gone', 'missing', 'stalled', 'odd'].map((name) => ({
        type: 'streamable-http',
        url: `${ORIGIN}/${MARKER}/${name}`,
      })),
    },
    { [`/${MARKER}/post`]: POST_ONLY, [`/${MARKER}/gone`]: status(410), [`/${MARKER}/stalled`]: failing('stalled') },
  ),
  tooManyEndpoints: {
    routes: {
      [CATALOG_PATH]: json(catalog(catalogEntry({ data: serverCard() }))),
      [CARD_PATH]: json(serverCard({ remotes: [{ type: 'sse', url: `${ORIGIN}/${MARKER}/second` }] })),
      [MCP_PATH]: json({ name: SPEECH, endpoint: `${ORIGIN}/${MARKER}/third` }),
      '/.well-known/mcp': json({ name: SPEECH, endpoint: `${ORIGIN}/${MARKER}/fourth` }),
    },
  },
  wrongType: document(CARD_PATH, serverCard(), { type: `application/${MARKER}` }, { [ENDPOINT]: POST_ONLY }),
  catalog: catalogWith([catalogEntry({ data: serverCard() })]),
  catalogOfOthers: catalogWith([catalogEntry({ type: `application/${MARKER}`, url: `/${MARKER}` })]),
  catalogProblems: catalogWith([
    MARKER,
    {},
    catalogEntry({ url: 1, data: 2 }),
    catalogEntry({ url: '' }),
    catalogEntry({ type: 5 }),
  ]),
  catalogNoEntries: document(CATALOG_PATH, { specVersion: 3, entries: MARKER }),
  catalogOddData: catalogWith([catalogEntry({ data: MARKER })]),
  listedCard: listedCard({ type: 'application/json', body: json(serverCard()) }),
  listedCardMissing: listedCard(status(404)),
  listedCardRefused: listedCard(status(403)),
  listedCardFailing: listedCard(status(500)),
  listedCardStalled: listedCard(failing('stalled')),
  listedCardReset: listedCard(failing('reset')),
  listedCardBusy: listedCard(status(429)),
  listedCardWrong: listedCard({ body: json({ [MARKER]: MARKER }) }),
  listedCardNoJson: listedCard({ body: SPEECH }),
  listedCardPage: listedCard(html('')),
  manyEntries: catalogWith(
    Array.from({ length: 6 }, (_, at) =>
      catalogEntry({ data: serverCard({ remotes: [{ type: 'x', url: `${ORIGIN}/${MARKER}/${at}` }] }) }),
    ),
    { [`/${MARKER}/1`]: failing('stalled') },
  ),
  older: document(
    MCP_PATH,
    { name: SPEECH, endpoint: ENDPOINT, [MARKER]: { [MARKER]: MARKER } },
    {},
    { [ENDPOINT]: POST_ONLY },
  ),
  olderServers: document(MCP_PATH, { mcpServers: { [MARKER]: { url: `https://${MARKER_HOST}${PATH}` } } }),
  olderNameless: document(MCP_PATH, { endpoint: MARKER, endpoints: { [MARKER]: MARKER } }),
  olderLocal: document(MCP_PATH, { mcpServers: { [MARKER]: { command: SPEECH, args: [MARKER] } } }),
  olderTemplate: document('/.well-known/mcp', {
    serverInfo: { name: SPEECH },
    transport: { endpoint: `https://{${MARKER}}.com/` },
  }),
  advertised: { ...advertise('mcp', ENDPOINT), routes: { [ENDPOINT]: JSON_RPC } },
  advertisedDead: advertise(`mcp-${MARKER}`, ENDPOINT),
  cardBelowEndpoint: {
    ...advertise('mcp', ENDPOINT),
    routes: { [ENDPOINT]: JSON_RPC, [`${ENDPOINT}/server-card`]: json(serverCard()) },
  },
  privateRemote: cardWith({ remotes: [{ type: MARKER, url: `http://${MARKER}.local/` }] }),
  privateCard: catalogWith([catalogEntry({ url: `http://${MARKER}.local/` })]),
  oddCard: cardWith({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json',
    description: SPEECH.repeat(9),
  }),
  ardOddEntries: document(ARD_PATH, {
    entries: [
      MARKER,
      { [MARKER]: SPEECH },
      catalogEntry({ identifier: MARKER, representativeQueries: SPEECH }),
      catalogEntry({ identifier: 'urn:air:a.com:x', displayName: SPEECH, url: MARKER, type: 'application/json' }),
    ],
  }),
  ardPlainEntry: document(ARD_PATH, {
    entries: [
      { identifier: 'urn:air:a.com:x', displayName: SPEECH, url: MARKER, type: 'application/json' },
      { identifier: MARKER, displayName: SPEECH, url: MARKER, type: MARKER },
    ],
  }),
  ardDead: advertise('ard', `/${MARKER}.json`),
  aiCatalogDead: advertise('ai-catalog', `/${MARKER}.json`),
  ardPrivate: advertise('ard', `http://${MARKER}.local/`),
  agentmaps: { routes: { '/robots.txt': `Agentmap: ${MARKER}:x\nAgentmap: ${ORIGIN}/${MARKER}.json\n` } },
  agentmapBesideArd: document(
    ARD_PATH,
    { entries: [] },
    {},
    { '/robots.txt': `Agentmap: ${ORIGIN}/${MARKER}.json\nAgentmap: ${MARKER}:x\n` },
  ),
  ...Object.fromEntries(Object.entries(brokenAt(CARD_PATH)).map(([name, piece]) => [`card-${name}`, piece])),
};

const AGENT_PATH = '/.well-known/agent-card.json';
const OLDER_AGENT_PATH = '/.well-known/agent.json';
const INTERFACE = `/${MARKER}/a2a`;
const skill = (more: object = {}): object => ({
  id: MARKER,
  name: SPEECH,
  description: SPEECH,
  tags: [MARKER],
  examples: [SPEECH],
  ...more,
});
const agentCard = (more: object = {}): object => ({
  name: SPEECH,
  description: SPEECH,
  version: MARKER,
  supportedInterfaces: [{ url: ORIGIN + INTERFACE, protocolBinding: MARKER, protocolVersion: MARKER }],
  capabilities: { [MARKER]: MARKER },
  defaultInputModes: [MARKER],
  defaultOutputModes: [SPEECH],
  skills: [skill()],
  provider: { organization: SPEECH, url: MARKER },
  [MARKER]: SPEECH,
  ...more,
});
const agent = (more: object, route: FixtureRoute = POST_ONLY, path = AGENT_PATH): Piece =>
  document(path, agentCard(more), {}, { [INTERFACE]: route });
const A2A_ENTRY = {
  identifier: 'urn:air:fixture-aviary.com:agent',
  displayName: SPEECH,
  type: 'application/a2a-agent-card+json',
};
const WITHOUT_INTERFACES = { supportedInterfaces: undefined };

export const A2A_VARIANTS: Variants = {
  sound: agent({}),
  absent: {},
  ...Object.fromEntries(Object.entries(ENDPOINTS).map(([name, route]) => [`endpoint-${name}`, agent({}, route)])),
  texts: agent({
    name: '',
    description: 5,
    version: null,
    capabilities: MARKER,
    defaultInputModes: MARKER,
    defaultOutputModes: [7],
    skills: MARKER,
  }),
  skills: agent({ skills: [MARKER, {}, skill({ tags: MARKER }), skill({ id: '', name: 3 })] }),
  interfaces: agent({
    supportedInterfaces: [MARKER, {}, { url: MARKER, protocolBinding: MARKER, protocolVersion: '' }],
  }),
  noInterfaces: agent({ supportedInterfaces: [] }),
  grpc: agent({
    supportedInterfaces: [{ url: `${MARKER_HOST}:443`, protocolBinding: 'GRPC', protocolVersion: MARKER }],
  }),
  template: agent({
    supportedInterfaces: [{ url: `https://{${MARKER}}/`, protocolBinding: MARKER, protocolVersion: MARKER }],
  }),
  older: agent({ ...WITHOUT_INTERFACES, url: ORIGIN + INTERFACE, protocolVersion: MARKER, preferredTransport: MARKER }),
  olderBroken: agent({ ...WITHOUT_INTERFACES, url: MARKER }),
  olderPath: agent({ ...WITHOUT_INTERFACES, url: ORIGIN + INTERFACE }, POST_ONLY, OLDER_AGENT_PATH),
  olderPathRefused: { routes: { [OLDER_AGENT_PATH]: status(403) } },
  unrelated: document(OLDER_AGENT_PATH, { [MARKER]: SPEECH }),
  wrongType: document(AGENT_PATH, agentCard(), { type: `text/${MARKER}` }, { [INTERFACE]: POST_ONLY }),
  advertised: {
    ...advertise('a2a', `/${MARKER}/agent.json`),
    routes: { [`/${MARKER}/agent.json`]: json(agentCard()), [INTERFACE]: POST_ONLY },
  },
  catalogued: document(
    ARD_PATH,
    {
      entries: [
        { ...A2A_ENTRY, url: `/${MARKER}/agent.json` },
        { ...A2A_ENTRY, url: `https://${MARKER_HOST}${PATH}` },
      ],
    },
    {},
    { [`/${MARKER}/agent.json`]: json(agentCard()), [INTERFACE]: POST_ONLY },
  ),
  cataloguedMissing: document(ARD_PATH, { entries: [{ ...A2A_ENTRY, url: `/${MARKER}/agent.json` }] }),
  cataloguedOdd: document(ARD_PATH, { entries: [{ ...A2A_ENTRY, data: MARKER }] }),
  cataloguedPrivate: document(ARD_PATH, { entries: [{ ...A2A_ENTRY, url: `http://${MARKER}.local/` }] }),
  cataloguedElsewhere: document(ARD_PATH, { entries: [{ ...A2A_ENTRY, url: `https://${MARKER_HOST}${PATH}` }] }),
  advertisedMissing: advertise('agent-card', `/${MARKER}/agent.json`),
  advertisedFailing: {
    ...advertise('agent-card', `/${MARKER}/agent.json`),
    routes: { [`/${MARKER}/agent.json`]: status(500) },
  },
  ...brokenAt(AGENT_PATH),
};
