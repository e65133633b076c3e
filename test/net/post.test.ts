import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { createPoster, type PosterOptions } from '../../src/net/post.js';
import { createGuard, vetWebhook } from '../../src/net/guard.js';
import { type DnsName, startDnsServer } from '../support/dns-server.js';
import { PUBLIC_ADDRESS, PUBLIC_CIDRS, PUBLIC_HOST, resolverOf } from '../support/network-scene.js';
import { startRawServer, startReceiver } from '../support/servers.js';

interface Scene {
  readonly ports: readonly number[];
  readonly names?: Readonly<Record<string, DnsName>>;
  readonly options?: Partial<PosterOptions>;
}

async function openPoster(t: Test, { ports, names = {}, options = {} }: Scene) {
  const dns = await startDnsServer({ [PUBLIC_HOST]: { A: [PUBLIC_ADDRESS] }, ...names });
  t.teardown(() => dns.close());
  const guard = createGuard({ allowCidrs: PUBLIC_CIDRS, allowPorts: ports });
  const resolver = resolverOf(dns, names);
  const refusals: string[] = [];
  const post = createPoster({ guard, resolver, onRefused: (_url, reason) => refusals.push(reason), ...options });
  const send = (url: string) =>
    post({ url: new URL(url), headers: { 'content-type': 'application/json' }, body: '{"ü":1}' });
  return { send, refusals, gate: { guard, resolver } };
}

t.test('a forbidden target gets no connection, however it is written', async (t) => {
  const forbidden = await startReceiver(t, '127.0.0.1');
  const { port } = forbidden;
  const names = {
    'inside.fixture-site.com': { A: ['127.0.0.1'] },
    'half.fixture-site.com': { A: [PUBLIC_ADDRESS, '127.0.0.1'] },
    'mapped.fixture-site.com': { AAAA: ['::ffff:127.0.0.1'] },
    'metadata.fixture-site.com': { A: ['169.254.169.254'] },
  };
  const { send, refusals } = await openPoster(t, { ports: [port], names });
  const hosts = [
    ...['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::ffff:127.0.0.1]', '[::1]', '0', 'localhost'],
    ...['１２７.0.0.1', 'inside.localhost.', ...Object.keys(names), 'inside.fixture-site.com.'],
  ];
  for (const host of hosts) t.same(await send(`http://${host}:${port}/`), { failure: 'target_refused' }, host);
  for (const url of [`http://u:p@${PUBLIC_HOST}:${port}/`, `http://${PUBLIC_HOST}:6379/`, 'file:///etc/passwd']) {
    t.same(await send(url), { failure: 'target_refused' }, url);
  }
  t.equal(refusals.length, hosts.length + 3, 'the log has each reason');
  t.equal(forbidden.connectionCount(), 0);
});

t.test('each message looks the name up again, and goes to what was vetted', async (t) => {
  const receiver = await startReceiver(t, PUBLIC_ADDRESS);
  const rebinding = { A: (asked: number) => [asked === 1 ? '127.0.0.1' : PUBLIC_ADDRESS] };
  const { send } = await openPoster(t, { ports: [receiver.port], names: { 'rebind.fixture-site.com': rebinding } });
  const url = `http://rebind.fixture-site.com:${receiver.port}/hook?a=b`;
  t.same(await send(url), { status: 204, retryAfter: null });
  t.same(await send(url), { failure: 'target_refused' });
  t.same(await send(url), { status: 204, retryAfter: null });
  t.equal(receiver.connectionCount(), 2);
  t.match(receiver.messages, Array(2).fill({ path: '/hook?a=b', body: '{"ü":1}', headers: { 'content-length': '8' } }));
});

type Speak = (write: (text: string) => void) => void;

t.test('an answer that does not come in time is cut off', async (t) => {
  const informational = 'HTTP/1.1 102 Processing\r\n\r\n';
  const slow: readonly (readonly [why: string, say: Speak, goOn: Speak])[] = [
    ['no byte', () => undefined, () => undefined],
    ['half a status line', (write) => write('HTTP/1.1 2'), () => undefined],
    ['one 1xx answer after the other', (write) => write(informational), (write) => write(informational)],
    ['header fields drop by drop', (write) => write('HTTP/1.1 200 OK\r\nx: y'), (write) => write('y')],
  ];
  for (const [why, say, goOn] of slow) {
    const cutOff = new EventEmitter();
    const server = await startRawServer(
      (socket) => {
        socket.on('close', () => cutOff.emit('close'));
        const write = (text: string): void => void socket.write(text);
        say(write);
        const timer = setInterval(() => goOn(write), 20);
        socket.on('close', () => clearInterval(timer));
      },
      { address: PUBLIC_ADDRESS },
    );
    t.teardown(() => server.close());
    const { send } = await openPoster(t, { ports: [server.port], options: { deadlineMs: 200 } });
    const isCutOff = once(cutOff, 'close');
    const sent = await send(`http://${PUBLIC_HOST}:${server.port}/`);
    t.match(sent, { failure: /^(stalled|budget_spent|bad_protocol)$/ }, why);
    // Each would go on for ever.
    await isCutOff;
  }
});

t.test('a name server that is silent, and a server that cannot be reached', async (t) => {
  const names = { 'silent.fixture-site.com': { silent: ['A', 'AAAA'] as const } };
  const { send } = await openPoster(t, { ports: [9], names });
  t.same(await send('http://silent.fixture-site.com:9/'), { failure: 'dns_silent' });
  t.same(await send('http://absent.fixture-site.com:9/'), { failure: 'name_not_found' });
  t.same(await send(`http://${PUBLIC_HOST}:9/`), { failure: 'connect_failed' });
});

t.test('no connection is left behind, whatever the answer', async (t) => {
  const receiver = await startReceiver(t, PUBLIC_ADDRESS);
  const open = new Set<unknown>();
  receiver.answer = (response) => {
    open.add(response.socket);
    response.socket?.once('close', () => open.delete(response.socket));
    response.writeHead(200);
    // More than is taken, and no end.
    for (let chunks = 0; chunks < 10; chunks += 1) response.write(Buffer.alloc(65_536));
  };
  const { send } = await openPoster(t, { ports: [receiver.port] });
  for (let count = 0; count < 3; count += 1) {
    t.match(await send(`http://${PUBLIC_HOST}:${receiver.port}/`), { status: 200 });
  }
  while (open.size > 0) await new Promise(setImmediate);
  t.equal(receiver.connectionCount(), 3);
});

t.test('a short body is taken to its end before the connection is closed', async (t) => {
  const receiver = await startReceiver(t, PUBLIC_ADDRESS);
  const other = await startReceiver(t, PUBLIC_ADDRESS);
  const begun = new Promise<ServerResponse>((resolve) => {
    receiver.answer = (response) => resolve(response.writeHead(200, { 'retry-after': '7' }));
  });
  const { send } = await openPoster(t, { ports: [receiver.port, other.port] });
  let isDone = false;
  const sent = send(`http://${PUBLIC_HOST}:${receiver.port}/`).finally(() => (isDone = true));
  const response = await begun;
  let isEnded = false;
  const closed = once(response, 'close').then(() => isEnded);
  response.write('thank ');
  // A whole exchange elsewhere: as long as the sender would need to give the first one up.
  t.match(await Promise.race([send(`http://${PUBLIC_HOST}:${other.port}/`), closed]), { status: 204 });
  t.equal(isDone, false);
  isEnded = true;
  response.end('you');
  t.same(await sent, { status: 200, retryAfter: '7' });
  t.ok(await closed, 'the connection held until then');
});

t.test('plain http is for the exceptions of the operator alone', async (t) => {
  const names = {
    'open.fixture-site.com': { A: ['93.184.215.14'] },
    'mixed.fixture-site.com': { A: ['93.184.215.14', PUBLIC_ADDRESS] },
    'inside.fixture-site.com': { A: ['10.0.0.7'] },
  };
  const { gate } = await openPoster(t, { ports: [8080], names });
  const cases: [url: string, refusal: string | null][] = [
    [`http://${PUBLIC_HOST}:8080/hook`, null],
    [`http://${PUBLIC_ADDRESS}:8080/hook`, null],
    ['https://open.fixture-site.com/hook', null],
    ['https://absent.fixture-site.com/hook', null],
    ['http://open.fixture-site.com/hook', 'not_https'],
    ['http://mixed.fixture-site.com/hook', 'not_https'],
    ['http://absent.fixture-site.com/hook', 'not_https'],
    ['ftp://open.fixture-site.com/hook', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['http://inside.fixture-site.com/hook', 'refused'],
    ['https://127.0.0.1/hook', 'refused'],
  ];
  for (const [url, refusal] of cases) t.equal(await vetWebhook(gate, new URL(url)), refusal, url);
});
