import t from 'tap';
import { readMcpManifest } from '../../../src/scanner/parsers/manifests/mcp.js';

const HERE = new URL('https://www.fixture-site.com/.well-known/mcp.json');
const SERVER = 'https://a.example/mcp';
const OTHER = 'https://b.example/mcp';
const NAMELESS = 'has no server name';

/** What a document under one of the paths names: its endpoints, and what is wrong with it. */
function read(document: object, isOlderPath = true) {
  const reading = readMcpManifest(JSON.stringify(document), HERE, isOlderPath);
  if (reading.kind !== 'read') throw new Error(`read as ${reading.kind}`);
  const problems = reading.problems.map(({ text }) => text);
  return { problems, urls: reading.value.endpoints.map(({ url }) => url.href) };
}

t.test('every member that holds endpoints', async (t) => {
  const urlsOf = (document: object, urls: string[]) =>
    t.same(read({ name: 'Shop', ...document }), { problems: [], urls }, JSON.stringify(document));
  for (const holder of ['transport', 'server', 'mcp', 'connection']) urlsOf({ [holder]: { url: SERVER } }, [SERVER]);
  for (const collection of ['transports', 'servers', 'mcpServers', 'connections', 'endpoints', 'remotes']) {
    urlsOf({ [collection]: [{ url: SERVER }, { url: OTHER }] }, [SERVER, OTHER]);
    urlsOf({ [collection]: { a: SERVER, b: { url: OTHER } } }, [SERVER, OTHER]);
  }
  for (const member of 'endpoint url uri href mcp_endpoint mcpEndpoint server_url serverUrl'.split(' ')) {
    urlsOf({ [member]: SERVER }, [SERVER]);
    urlsOf({ transport: { [member]: SERVER } }, [SERVER]);
  }
});

t.test('every member that gives the name of a server', async (t) => {
  const problemsOf = (document: object, ...problems: string[]) =>
    t.same(read({ endpoint: SERVER, ...document }).problems, problems, JSON.stringify(document));
  for (const member of ['name', 'title', 'server_name', 'serverName', 'displayName']) {
    problemsOf({ [member]: 'Shop' });
    for (const holder of ['serverInfo', 'server', 'mcp']) problemsOf({ [holder]: { [member]: 'Shop' } });
    for (const list of ['servers', 'mcpServers']) problemsOf({ [list]: [{ [member]: 'Shop', url: SERVER }] });
  }
  for (const list of ['servers', 'mcpServers']) {
    problemsOf({ [list]: { shop: { url: SERVER } } });
    problemsOf({ [list]: {} }, NAMELESS);
  }
  problemsOf({ name: ' ' }, NAMELESS);
});

t.test('a document is one of these forms by a mark, away from their paths', async (t) => {
  for (const mark of 'serverInfo transport transports endpoint endpoints servers mcpServers server'.split(' '))
    t.same(read({ [mark]: 0 }, false).problems, [NAMELESS, 'has no absolute http(s) endpoint'], mark);
  t.match(read({ connection: SERVER }, false).problems[0], /\$schema/, 'read as a card of today');
});
