import t from 'tap';
import { readMcpManifest } from '../../../src/scanner/parsers/manifests/mcp.js';

const HERE = new URL('https://www.fixture-site.com/.well-known/mcp.json');
const SERVER = 'https://a.example/mcp';

/** What a document under one of the paths names: its endpoints, and what is wrong with it. */
async function read(document: object, isOlderPath = true) {
  const reading = readMcpManifest(JSON.stringify(document), HERE, isOlderPath);
  if (reading.kind !== 'read') throw new Error(`read as ${reading.kind}`);
  const problems = reading.problems.map(({ text }) => text);
  return { problems, urls: reading.value.endpoints.map(({ url }) => url.href) };
}

t.test('every member that holds one endpoint', async (t) => {
  for (const holder of ['transport', 'server', 'mcp', 'connection']) {
    t.same(await read({ name: 'Shop', [holder]: { url: SERVER } }), { problems: [], urls: [SERVER] }, holder);
  }
});

t.test('every member that holds several, as a list and by name', async (t) => {
  for (const collection of ['transports', 'servers', 'mcpServers', 'connections', 'endpoints', 'remotes']) {
    const urls = [SERVER, 'https://b.example/mcp'];
    const list = { name: 'Shop', [collection]: urls.map((url) => ({ url })) };
    t.same(await read(list), { problems: [], urls }, collection);
    t.same(await read({ name: 'Shop', [collection]: { a: urls[0], b: { url: urls[1] } } }), { problems: [], urls });
  }
});

t.test('every member that is an address', async (t) => {
  const members = ['endpoint', 'url', 'uri', 'href', 'mcp_endpoint', 'mcpEndpoint', 'server_url', 'serverUrl'];
  for (const member of members) {
    t.same(await read({ name: 'Shop', [member]: SERVER }), { problems: [], urls: [SERVER] }, member);
    t.same(await read({ name: 'Shop', transport: { [member]: SERVER } }), { problems: [], urls: [SERVER] }, member);
  }
});

t.test('every member that gives the name of a server', async (t) => {
  for (const member of ['name', 'title', 'server_name', 'serverName', 'displayName']) {
    t.same((await read({ [member]: 'Shop', endpoint: SERVER })).problems, [], member);
    for (const holder of ['serverInfo', 'server', 'mcp']) {
      t.same((await read({ [holder]: { [member]: 'Shop' }, endpoint: SERVER })).problems, [], `${holder}.${member}`);
    }
    for (const list of ['servers', 'mcpServers']) {
      t.same((await read({ [list]: [{ [member]: 'Shop', url: SERVER }] })).problems, [], `${list}[].${member}`);
    }
  }
  for (const list of ['servers', 'mcpServers']) {
    t.same((await read({ [list]: { shop: { url: SERVER } } })).problems, [], `${list} by name`);
    t.same((await read({ [list]: {}, endpoint: SERVER })).problems, ['gives no name of a server'], `no ${list}`);
  }
  t.same((await read({ name: ' ', endpoint: SERVER })).problems, ['gives no name of a server']);
});

t.test('a document is one of these forms by a mark, away from their paths', async (t) => {
  const marks = ['serverInfo', 'transport', 'transports', 'endpoint', 'endpoints', 'servers', 'mcpServers', 'server'];
  for (const mark of marks) {
    const { problems } = await read({ [mark]: 0 }, false);
    t.same(problems, ['gives no name of a server', 'has no absolute http(s) endpoint'], mark);
  }
  t.match((await read({ connection: SERVER }, false)).problems[0], /\$schema/, 'read as a card of today');
});
