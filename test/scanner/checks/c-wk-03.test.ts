import t from 'tap';
import { cWk03 } from '../../../src/scanner/checks/c-wk-03.js';
import { FIXTURE_ORIGIN, type FixtureAnswer } from '../../support/fixture-site.js';
import { redirectTo } from '../../support/visit-site.js';
import { ALIVE, announcing, CARD_PATH, expectOn, expectWords, HOME, linking } from './endpoint-sites.js';
import { SERVER, SERVER_CARD, toPost } from './endpoint-sites.js';
import { CANARY, json, type Routes, url } from './expect-findings.js';

const ENTRY = {
  anchor: url('/api'),
  'service-desc': [{ href: url('/openapi.json'), type: 'application/json' }],
  'service-doc': [{ href: '/docs', type: 'text/html' }],
};
const OPENAPI = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: { '/orders': {} } };
const CATALOG_PATH = '/.well-known/api-catalog';
const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const OPENID_PATH = '/.well-known/openid-configuration';
const WORKS: Routes = { '/openapi.json': json(OPENAPI), '/docs': HOME };
const linkset = (...entries: unknown[]): FixtureAnswer => json({ linkset: entries }, 'application/linkset+json');
const apiCatalog = (entry: unknown, more: Routes = WORKS): Routes => ({ [CATALOG_PATH]: linkset(entry), ...more });
const resource = (value: unknown): Routes => ({ [RESOURCE_PATH]: json(value) });
const authServer = (changes: object): Routes => ({
  '/.well-known/oauth-authorization-server': json({ ...SERVER, ...changes }),
});
/** One whose well-known path redirects to a tenant of a login host. */
const redirectedServer = (path: string): Routes => {
  const host = 'https://login.fixture-site.com';
  const location = `${host}/tenant${OPENID_PATH}`;
  return { [OPENID_PATH]: redirectTo(location), [location]: json({ ...SERVER, issuer: host + path }) };
};

t.test('C-WK-03: API catalog and auth metadata', async (t) => {
  const machines = { grant_types_supported: ['client_credentials'], authorization_endpoint: undefined };
  await expectOn(t, cWk03, {
    PASS: {
      'items alone, without anchor': apiCatalog({ item: [{ href: url('/api') }] }),
      'a context about something else alongside it': {
        [CATALOG_PATH]: linkset(ENTRY, { anchor: url('/'), describedby: [{ href: '/x' }] }),
        ...WORKS,
      },
      'authorization server metadata': authServer({}),
      'a trailing slash': authServer({ issuer: `${FIXTURE_ORIGIN}/` }),
      'no www': authServer({ issuer: FIXTURE_ORIGIN.replace('www.', '') }),
      'an issuer with a path, to which a redirect leads': redirectedServer('/tenant'),
      'tokens for machines alone': authServer({ ...machines, response_types_supported: undefined }),
    },
    'FAIL WK_UNREACHABLE': {
      'fetching goes before content': [
        { ...linking(CATALOG_PATH), ...resource({}), [CATALOG_PATH]: 403 },
        /API documents have 1 more problem/,
      ],
    },
    'FAIL INVALID_MANIFEST': { 'an issuer with a path': authServer({ issuer: url('/tenant') }) },
  });
  await expectWords(t, cWk03, {
    'FAIL INVALID_MANIFEST': {
      'not an array of links': apiCatalog({ anchor: url('/'), rel: 'item', href: CANARY }),
      'lacks "anchor"': apiCatalog({ ...ENTRY, anchor: undefined }),
      'without "href"': apiCatalog({ ...ENTRY, item: [{}] }),
      'another origin': resource({ resource: 'https://other.example.net' }),
      '"issuer"': redirectedServer('/other'),
    },
  });
});

t.test('C-WK-03: what a header or a link element names is judged where it is', async (t) => {
  const named = '/api/.well-known/api-catalog';
  const announced = announcing(named, 'api-catalog');
  const apiHost = 'https://api.fixture-site.com';
  const onApiHost = (catalog: FixtureAnswer): Routes => ({
    ...announcing(apiHost + CATALOG_PATH, 'api-catalog'),
    [apiHost + CATALOG_PATH]: catalog,
  });
  const items = linkset({ item: [{ href: `${apiHost}/v1` }] });
  await expectOn(t, cWk03, {
    PASS: {
      'a Link header': [{ ...announced, [named]: linkset(ENTRY), ...WORKS }, /service-desc 1/],
      'one on a subdomain, where this host refuses': [
        { ...onApiHost(items), [CATALOG_PATH]: 403 },
        /refers to is valid/,
      ],
    },
    'FAIL MISSING': {
      'one that is not there': [announced, /that the home page refers to does not exist\./],
      'the well-known one, which is not there': announcing(CATALOG_PATH, 'api-catalog'),
    },
    'FAIL INVALID_MANIFEST': { 'a broken one on a subdomain': onApiHost(json({})) },
    NOT_APPLICABLE: { 'a link for people': { '/': `${HOME}<a href="${CATALOG_PATH}">Our APIs</a>` } },
  });
});

t.test('C-WK-03: what a challenge names is judged where it is', async (t) => {
  const metadata = `${RESOURCE_PATH}/mcp`;
  const challenge = (address: string): FixtureAnswer => ({
    status: 401,
    headers: { 'www-authenticate': `Bearer realm="mcp", resource_metadata="${address}"` },
  });
  const endpoint = (address: string, more: Routes = {}, toGet = challenge(address)): Routes => ({
    [CARD_PATH]: json(SERVER_CARD),
    '/mcp': toPost(challenge(address), toGet),
    ...more,
  });
  const own = json({ resource: url('/mcp') });
  const mcpHost = 'https://mcp.fixture-site.com';
  const hosted = (more: Routes = {}): Routes => ({
    [CARD_PATH]: json({ ...SERVER_CARD, remotes: [{ type: 'streamable-http', url: `${mcpHost}/mcp` }] }),
    [`${mcpHost}/mcp`]: challenge(mcpHost + RESOURCE_PATH),
    ...more,
  });
  const whole = { [mcpHost + RESOURCE_PATH]: json({ resource: `${mcpHost}/mcp` }) };
  await expectOn(t, cWk03, {
    PASS: {
      'a challenge': endpoint(url(metadata), { [metadata]: own }),
      'a relative address': endpoint(metadata, { [metadata]: own }),
      'one of a subdomain, where this host fails everywhere': hosted({ ...whole, [RESOURCE_PATH]: 500 }),
    },
    'FAIL MISSING': {
      'one that is not there': [endpoint(url(metadata)), /named in WWW-Authenticate does not exist\./],
      'the well-known one, which is not there': endpoint(url(RESOURCE_PATH)),
      'a challenge to POST alone': endpoint(url(metadata), {}, ALIVE),
    },
    'FAIL INVALID_MANIFEST': { 'one of a subdomain': hosted({ [mcpHost + RESOURCE_PATH]: json({}) }) },
  });
});

t.test('C-WK-03: the scanned origin and the one that it redirects to are both the own one', async (t) => {
  const shop = 'https://shop.fixture-site.com';
  const redirected = (path: string, document: object): Routes => ({
    '*': ({ url: { pathname } }) => redirectTo(shop + pathname, 301),
    [`${shop}/`]: HOME,
    [shop + path]: json(document),
  });
  const issuer = (origin: string) =>
    redirected('/.well-known/oauth-authorization-server', { ...SERVER, issuer: origin });
  const resourceOf = (origin: string) => redirected(RESOURCE_PATH, { resource: origin });
  await expectOn(t, cWk03, {
    PASS: { 'resource here': resourceOf(FIXTURE_ORIGIN), 'issuer here': issuer(FIXTURE_ORIGIN) },
    'FAIL INVALID_MANIFEST': { another: resourceOf('https://other.fixture-site.com') },
  });
});
