import { EventEmitter, once } from 'node:events';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TLSSocket, type TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { meterSocket } from '../../src/net/meter.js';
import { openNetworkTransport } from '../../src/net/network-transport.js';
import type { Transport } from '../../src/net/transport.js';
import { createGuard } from '../../src/net/guard.js';
import { createResolver } from '../../src/net/resolver.js';
import { startDnsServer } from '../support/dns-server.js';
import { startFixtureServer } from '../support/fixture-server.js';
import type { FixtureSite } from '../support/fixture-site.js';
import { openScene, outcomeOf, PUBLIC_ADDRESS, PUBLIC_HOST, type SceneOptions } from '../support/network-scene.js';
import { type RawServer, startRawServer } from '../support/servers.js';
import { readFixture } from '../support/project.js';
import { redirectTo } from '../support/visit-site.js';
import { hopRequest } from './hop-request.js';
import { TransportError } from '../../src/net/failure.js';

const readPem = (name: string) => readFixture(`tls/${name}.pem`);
const address = PUBLIC_ADDRESS;
const OK = 'HTTP/1.1 200 OK\r\n';
const NOTHING = `${OK}content-length: 0\r\n\r\n`;
const staySilent = () => undefined;
const endWell = (socket: Socket): void => void socket.end('HTTP/1.1 200 OK\r\n\r\n');

/** A server that speaks so, and a visit that may reach it. */
async function serve(
  t: Test,
  speak: Parameters<typeof startRawServer>[0],
  scene: Partial<SceneOptions> = {},
  options: Partial<Parameters<typeof startRawServer>[1]> = {},
) {
  const server = await startRawServer(speak, { address, ...options });
  t.teardown(() => server.close());
  const { visit } = await openScene(t, { ports: [server.port], ...scene });
  return { server, visit, outcome: (path?: string) => outcomeOf(visit, urlOf(server, path)) };
}

t.test('a server that breaks the protocol', async (t) => {
  const hundred = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
  const proceed = 'HTTP/1.1 100 Continue\r\n\r\n';
  const answers: Readonly<Record<string, readonly [answer: string, outcome: string | number]>> = {
    'a plain answer': [`${OK}content-length: 2\r\n\r\nok`, 200],
    'a body that ends with the connection': [`${OK}\r\nok`, 200],
    'no answer at all': ['', 'reset'],
    'half of the header fields': [`${OK}content-le`, 'reset'],
    'a length that the body does not reach': ['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok', 'cut_off'],
    'the same, and the connection closes': [`${OK}connection: close\r\ncontent-length: 9\r\n\r\nok`, 'cut_off'],
    'chunks without an end': ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n', 'cut_off'],
    'chunks without a length': ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nok\r\n', 'bad_protocol'],
    'two lengths': ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok', 'bad_protocol'],
    'another protocol': ['220 mail.fixture-site.com ESMTP\r\n', 'bad_protocol'],
    'a few early hints': [hundred.repeat(3) + NOTHING, 200],
    'a 100 that nobody asked for': [proceed + NOTHING, 200],
    'interim answers of several kinds': [
      `${proceed}${hundred}HTTP/1.1 100 Continue\r\nx: y\r\n\r\n${proceed}HTTP/1.1 404 Not Found\r\n\r\n`,
      404,
    ],
    'a 100 and nothing more': [proceed, 'reset'],
    'a 101 that nobody asked for': ['HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n', 'bad_protocol'],
    'a body like an interim answer': [`${OK}content-length: ${proceed.length}\r\n\r\n${proceed}`, 200],
    'header fields over 16 KiB': [`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`, 'headers_too_large'],
    'interim answers of more than 16 KiB': [`${hundred.repeat(700)}${NOTHING}`, 'headers_too_large'],
    'many small header fields': [`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(9000)}\r\n`, 'headers_too_large'],
  };
  for (const [why, [answer, outcome]] of Object.entries(answers)) {
    const { outcome: seen } = await serve(t, (socket) => socket.end(answer));
    t.equal(await seen(), outcome, why);
  }
});

t.test('interim answers are skipped before each answer of a connection', async (t) => {
  const answer = `HTTP/1.1 100 Continue\r\nx: HTTP/1.1 100\r\n\r\n${OK}content-length: 12\r\n\r\nHTTP/1.1 100`;
  const { server, visit } = await serve(t, (socket) => void socket.write(answer));
  for (const path of ['/', '/next']) {
    const fetched = await visit.fetch(new URL(urlOf(server, path)));
    const body = 'response' in fetched && Buffer.from(fetched.response.body).toString();
    t.equal(body, 'HTTP/1.1 100', 'the body is as it was');
  }
  t.equal(server.connectionCount(), 1);
});

t.test('a server that takes its time meets a deadline', async (t) => {
  const drip =
    (piece: string, start = '') =>
    (socket: NodeJS.WritableStream) => {
      socket.write(start);
      const timer = setInterval(() => socket.write(piece), 2);
      socket.on('close', () => clearInterval(timer));
    };
  const slow = {
    'no answer': staySilent,
    'header fields that drip': drip('x', 'HTTP/1.1 200 OK\r\nx: '),
    'a flood of 1xx answers': drip('HTTP/1.1 103 Early Hints\r\n\r\n'),
    'a body that drips': drip('x', 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'),
  };
  for (const [why, behave] of Object.entries(slow)) {
    const { visit, outcome } = await serve(t, behave, { limits: { tryMs: 40 } });
    t.equal(await outcome(), 'stalled', why);
    t.equal(visit.requestCount, 2, 'a stall is tried twice');
  }
  const { server, visit } = await serve(t, staySilent, { network: { headersMs: 20 } });
  const once = await visit.fetch(new URL(urlOf(server)), { attempts: 'once' });
  t.same(once, { failure: 'stalled' }, 'header fields have a deadline of their own');
});

t.test('the deadline of the run ends what is under way, also while a connection is being set up', async (t) => {
  const names = { 'silent.fixture-site.com': { silent: ['A', 'AAAA'] as const } };
  const { visit, outcome } = await serve(t, staySilent, { names, limits: { runMs: 30 } });
  const outcomes = await Promise.all([outcome(), outcomeOf(visit, 'http://silent.fixture-site.com/')]);
  t.same(outcomes, ['run_deadline', 'run_deadline']);
  t.ok(visit.deadline.aborted);
  t.equal(await outcome('/later'), 'run_deadline');
});

t.test('names and connections that fail', async (t) => {
  const closed = await startRawServer(staySilent, { address });
  await closed.close();
  const mute = await startRawServer(staySilent, { address });
  t.teardown(() => mute.close());
  const names = {
    'broken.fixture-site.com': { isBroken: true as const },
    'silent.fixture-site.com': { silent: ['A', 'AAAA'] as const },
    'empty.fixture-site.com': {},
    'half.fixture-site.com': { A: [address], silent: ['AAAA'] as const },
  };
  const { visit } = await openScene(t, { ports: [closed.port, mute.port], names, network: { connectMs: 30 } });
  for (const [url, outcome] of Object.entries({
    'http://missing.fixture-site.com/': 'name_not_found',
    'http://broken.fixture-site.com/': 'dns_failed',
    'http://silent.fixture-site.com/': 'dns_silent',
    'http://empty.fixture-site.com/': 'dns_failed',
    [`http://half.fixture-site.com:${closed.port}/`]: 'connect_failed',
    [urlOf(closed)]: 'connect_failed',
    // The server accepts the connection and never says a word of TLS.
    [`https://${PUBLIC_HOST}:${mute.port}/`]: 'connect_timeout',
  })) {
    t.equal(await outcomeOf(visit, url), outcome, url);
  }
});

t.test('certificates are held against the name', async (t) => {
  const host = 'secure.fixture-site.com';
  const other = 'other.fixture-site.com';
  const names = { [host]: { A: [address] }, [other]: { A: [address] } };
  const cases = [
    ['valid', host, readPem('valid'), 200],
    ['valid', other, readPem('valid'), 'tls_wrong_host'],
    ['valid', host, undefined, 'tls_untrusted'],
    ['expired', host, readPem('expired'), 'tls_expired'],
  ] as const;
  for (const [certificate, name, ca, outcome] of cases) {
    const tls = { key: readPem('key'), cert: readPem(certificate) };
    const { server, visit } = await serve(t, endWell, { names, ...(ca === undefined ? {} : { ca }) }, { tls });
    t.equal(await outcomeOf(visit, `https://${name}:${server.port}/`), outcome, `${certificate} for ${name}`);
  }
  const { server, visit } = await serve(t, endWell, {}, { isEager: true });
  t.equal(await outcomeOf(visit, `https://${PUBLIC_HOST}:${server.port}/`), 'tls_failed', 'a server without TLS');
  const tls11 = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  const tls = { key: readPem('key'), cert: readPem('valid'), ...tls11 };
  const old = await serve(t, endWell, { ca: readPem('valid') }, { tls });
  t.equal(await outcomeOf(old.visit, `https://${PUBLIC_HOST}:${old.server.port}/`), 'tls_outdated');
});

t.test('HTTP/1.1 is spoken with who offers HTTP/2 too, over several connections at once', async (t) => {
  const host = 'secure.fixture-site.com';
  const goOn: (() => void)[] = [];
  const protocols: unknown[] = [];
  const tls: TlsOptions = {
    key: readPem('key'),
    cert: readPem('valid'),
    ALPNProtocols: ['h2', 'http/1.1'],
    // No handshake goes on before all three have begun.
    SNICallback: (_name, callback) => {
      if (goOn.push(() => callback(null)) === 3) for (const each of goOn) each();
    },
  };
  const speak = (socket: Socket): void => {
    protocols.push(socket instanceof TLSSocket && socket.alpnProtocol);
    endWell(socket);
  };
  const names = { [host]: { A: [address] } };
  const { server, visit } = await serve(t, speak, { names, ca: readPem('valid') }, { tls });
  const urls = ['/1', '/2', '/3'].map((path) => `https://${host}:${server.port}${path}`);
  t.same(await Promise.all(urls.map((url) => outcomeOf(visit, url))), [200, 200, 200]);
  t.same(protocols, ['http/1.1', 'http/1.1', 'http/1.1']);
});

t.test('connections are used again, also after redirects, errors and unread bodies', async (t) => {
  const { site, outcome } = await serveSite(t, {
    '/': { ...redirectTo('/b'), body: 'moved' },
    '/b': 'b'.repeat(100_000),
    '/c': { status: 404, body: 'c' },
    '/d': { headers: { 'content-encoding': 'gzip' }, body: gzipSync('d') },
  });
  for (const path of ['/', '/c', '/d']) await outcome(path);
  t.equal(site.connectionCount(), 1);
});

t.test('bodies that are given up do not hold their connections', async (t) => {
  const undecodable = { headers: { 'content-encoding': 'zstd' }, body: 'x'.repeat(1_000_000) };
  const body = 'x'.repeat(5_000_000);
  const routes = { '/a': undecodable, '/b': { body }, '/c': { ...redirectTo('/d'), body }, '/d': 'd' };
  const { outcome } = await serveSite(t, routes, { network: { connectionsPerOrigin: 1 } });
  const expected = { '/a': 'bad_encoding', '/b': 200, '/c': 200, '/d?again': 200 };
  for (const [path, one] of Object.entries(expected)) t.equal(await outcome(path), one, path);
});

t.test('a body that is over our limit and never ends does not hold its connection', async (t) => {
  const bomb = gzipSync(Buffer.alloc(2_000_000));
  const speak = (socket: Socket, number: number): void => {
    if (number > 0) return void socket.end(`${OK}content-length: 2\r\n\r\nok`);
    socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 999999\r\n\r\n');
    socket.write(bomb);
  };
  const { server, visit, outcome } = await serve(t, speak, { network: { connectionsPerOrigin: 1 } });
  t.match(await visit.fetch(new URL(urlOf(server))), { response: { isOverLimit: true } });
  t.equal(await outcome('/next'), 200);
});

t.test('a server that closes a connection before its body is read ends nothing but the body', async (t) => {
  // Few enough to be taken off the wire unread: the client sees the end.
  const bytes = 1500;
  const close = (socket: Socket) => socket.end();
  const reset = (socket: Socket) => socket.resetAndDestroy();
  for (const [what, finish, outcome] of [
    ['an end', close, bytes],
    ['a reset, which may have cut it off', reset, 'cut_off'],
  ] as const) {
    const asked = new EventEmitter();
    const server = await startRawServer((socket) => asked.emit('asked', socket), { address });
    const transport = openTransport(server);
    const isAsked = once(asked, 'asked');
    const answered = transport.exchange(requestFor(server));
    const [socket] = (await isAsked) as [Socket];
    socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
    socket.write('x'.repeat(bytes));
    const answer = await answered;
    const isClosed = once(socket, 'close');
    finish(socket);
    await isClosed;
    t.equal(await lengthOf(answer.body).catch((error: unknown) => (error as Error).message), outcome, what);
    await transport.close();
    await server.close();
  }
});

t.test('the bytes on the wire are limited for the whole run', async (t) => {
  const chunked = `${OK}transfer-encoding: chunked\r\n\r\n`;
  const endless = {
    'a body': [`${OK}\r\n`, 'x'],
    '1xx answers': ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    'a chunk extension': [`${chunked}1;`, 'a=b;'],
  } as const;
  for (const [what, [start, piece]] of Object.entries(endless)) {
    const speak = (socket: Socket): void => {
      socket.write(start);
      socket.write(piece.repeat(100_000));
    };
    const { outcome } = await serve(t, speak, { network: { wireBytesMax: 50_000 } });
    t.equal(await outcome(), 'budget_spent', what);
    t.equal(await outcome('/next'), 'budget_spent', 'nothing is left for other URLs');
  }
});

t.test('a parser is given little at once, since it stops at no error inside of it', async (t) => {
  const socket = new Socket();
  const pieces: number[] = [];
  const metered = meterSocket(socket, { bytesLeft: 100_000 });
  socket.push(Buffer.alloc(10_000));
  t.equal(metered.read(0), null, 'asking for more takes nothing');
  for (let piece = metered.read() as Buffer | null; piece; piece = metered.read() as Buffer | null)
    pieces.push(piece.length);
  t.same(pieces, [4096, 4096, 1808]);
  socket.push(Buffer.alloc(10_000));
  socket.destroy();
  t.equal(metered.read(), null, 'and nothing of a connection that was given up');
});

t.test('a body that is decoded slowly comes whole', async (t) => {
  const bytes = 3_000_000;
  const { server } = await serve(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes));
  });
  const transport = openTransport(server);
  t.teardown(() => transport.close());
  const lengths = await Promise.all(
    [1, 2, 3].map(async () => {
      const answer = await transport.exchange(requestFor(server));
      let length = 0;
      for await (const chunk of answer.body) {
        length += chunk.length;
        await nextTurn();
      }
      return length;
    }),
  );
  t.same(lengths, [bytes, bytes, bytes]);
});

t.test('a UTF-8 Location leads where it says', async (t) => {
  const moved = Buffer.from('HTTP/1.1 301 Moved\r\nlocation: /caf\u00e9\r\ncontent-length: 0\r\n\r\n');
  const { server, visit } = await serve(t, (socket, number) => (number === 0 ? socket.end(moved) : endWell(socket)));
  const fetched = await visit.fetch(new URL(urlOf(server)));
  t.match(fetched, { response: { url: { pathname: '/caf%C3%A9' } } });
});

/** A resolver that asks a name server with these names. */
async function resolverOf(t: Test, names: Parameters<typeof startDnsServer>[0]) {
  const dns = await startDnsServer(names);
  t.teardown(() => dns.close());
  return createResolver({ servers: [dns.address], timeoutMs: 50 });
}

t.test('TXT records come whole, and their absence is not a failure', async (t) => {
  const resolver = await resolverOf(t, {
    'a.fixture-site.com': { TXT: [['one ', 'record'], ['another']] },
    'b.fixture-site.com': {},
    'c.fixture-site.com': { isBroken: true },
  });
  t.same(await resolver.resolveTxt('a.fixture-site.com'), ['one record', 'another']);
  t.same(await resolver.resolveTxt('b.fixture-site.com'), []);
  t.same(await resolver.resolveTxt('missing.fixture-site.com'), []);
  await t.rejects(resolver.resolveTxt('c.fixture-site.com'), new TransportError('dns_failed'));
});

t.test('a name is gone where the DNS says so: not where it fails, says nothing, or has no such record', async (t) => {
  const resolver = await resolverOf(t, {
    'there.fixture-site.com': { TXT: [['one']] },
    'empty.fixture-site.com': { A: ['192.0.2.1'] },
    'broken.fixture-site.com': { isBroken: true },
    'silent.fixture-site.com': { silent: ['TXT'] },
  });
  t.equal(await resolver.isNameGone('missing.fixture-site.com'), true);
  for (const name of ['there', 'empty', 'broken', 'silent']) {
    t.equal(await resolver.isNameGone(`${name}.fixture-site.com`), false, name);
  }
});

t.test('a look-up leaves no timer behind, which would keep the process', async (t) => {
  const resolver = await resolverOf(t, { 'a.fixture-site.com': { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] } });
  const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = countTimers();
  t.same(await resolver.resolveAddresses('a.fixture-site.com'), ['192.0.2.1', '2001:db8::1']);
  t.equal(countTimers(), before);
});

t.test('addresses keep their order if the server rotates them, and half an answer is used', async (t) => {
  const turning = (asked: number) => (asked % 2 === 0 ? ['192.0.2.1', '192.0.2.2'] : ['192.0.2.2', '192.0.2.1']);
  const half = { AAAA: ['2001:db8::1'], isBroken: ['A'] } as const;
  const resolver = await resolverOf(t, { 'a.fixture-site.com': { A: turning }, 'half.fixture-site.com': half });
  t.same(await resolver.resolveAddresses('half.fixture-site.com'), half.AAAA);
  for (let time = 0; time < 2; time += 1)
    t.same(await resolver.resolveAddresses('a.fixture-site.com'), ['192.0.2.1', '192.0.2.2']);
});

/** A fixture site that a visit may reach, and the outcome of its paths. */
async function serveSite(t: Test, routes: FixtureSite['routes'], scene: Partial<SceneOptions> = {}) {
  const site = await startFixtureServer({ routes }, { address });
  t.teardown(() => site.close());
  const { visit } = await openScene(t, { ports: [site.port], ...scene });
  return { site, outcome: (path: string) => outcomeOf(visit, `http://${PUBLIC_HOST}:${site.port}${path}`) };
}

function openTransport(server: RawServer): Transport {
  const guard = createGuard({ allowEndpoints: [{ address, port: server.port }] });
  return openNetworkTransport({ guard, resolver: createResolver() });
}

const requestFor = (server: RawServer) => hopRequest(`http://${address}:${server.port}/`);

async function lengthOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  return bytes;
}

function urlOf(server: RawServer, path = '/'): string {
  return `http://${PUBLIC_HOST}:${server.port}${path}`;
}
