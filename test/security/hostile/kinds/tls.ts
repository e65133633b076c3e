import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { GOOD_ROUTES } from '../good-site.js';
import { type HostOptions, startHost } from '../host.js';
import type { HostileKind, Yields } from '../kind.js';
import { answering } from '../site.js';
import { answer, dripAfter, floodAfter, OK_HEAD, type Talk } from '../wire-kind.js';
import { readFixture } from '../../../support/project.js';

const readPem = (name: string): string => readFixture(`tls/${name}.pem`);

const HOSTNAME = 'secure.fixture-site.com';
const KEY = readPem('key');
const VALID = readPem('valid');
const TRUSTED = { hostname: HOSTNAME, ca: VALID };

/** A server that speaks TLS, with these options instead of the right ones. */
function tlsKind(
  name: string,
  tls: TlsOptions,
  options: HostOptions = TRUSTED,
  yields: Yields = 'nothing',
): HostileKind {
  const start = () => startHost(answering(GOOD_ROUTES), { ...options, tls: { key: KEY, cert: VALID, ...tls } });
  return { name: `tls: ${name}`, yields, start };
}

/** A server that has a certificate, and breaks off or goes wrong after the handshake. */
function afterHandshake(name: string, behave: Talk, yields: Yields = 'nothing'): HostileKind {
  const tls = { key: KEY, cert: VALID };
  return { name: `tls: ${name}`, yields, start: () => startHost(behave, { ...TRUSTED, tls }) };
}

/** A server that only says it speaks TLS: bytes on a plain socket. */
function plainKind(name: string, behave: Talk, yields: Yields = 'nothing'): HostileKind {
  return {
    name: `tls: ${name}`,
    yields,
    start: () =>
      startHost(null, {
        ...TRUSTED,
        scheme: 'https',
        onConnection: (socket) => void socket.once('data', () => behave(socket)).resume(),
      }),
  };
}

const ALERT = Buffer.of(21, 3, 3, 0, 2, 2, 40);
const WARNING = Buffer.of(21, 3, 3, 0, 2, 1, 90);
const HELLO_START = Buffer.of(22, 3, 3, 64, 0, 2, 0, 63, 252, 3, 3);

const reachRaw = (socket: Socket): Socket | null => {
  const parent: unknown = Reflect.get(socket, '_parent');
  return parent instanceof Object && 'write' in parent ? (parent as Socket) : null;
};

/** Faults of TLS: certificates, versions, and handshakes that go nowhere. */
export const TLS_KINDS: readonly HostileKind[] = [
  tlsKind('an expired certificate', { cert: readPem('expired') }, { ...TRUSTED, ca: readPem('expired') }),
  tlsKind('a certificate for another name', {}, { ca: VALID }),
  tlsKind('a certificate that signed itself', {}, { hostname: HOSTNAME }),
  tlsKind('an old version only', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }),
  tlsKind('a cipher that the other side has not', {
    ciphers: 'NULL-SHA256:@SECLEVEL=0',
    maxVersion: 'TLSv1.2',
  }),
  tlsKind('another protocol than HTTP/1.1 only', { ALPNProtocols: ['h2'] }),
  tlsKind('a name that is refused', {
    SNICallback: (_name, callback) => callback(new Error('no such name')),
  }),
  tlsKind('a name whose certificate never comes', { SNICallback: () => undefined }),
  tlsKind('asks for a certificate of the client', {
    requestCert: true,
    rejectUnauthorized: true,
  }),
  tlsKind('a chain of three thousand certificates', { cert: VALID.repeat(3000) }, TRUSTED, {}),
  // Read over http, which has one try where https fails.
  plainKind('plain HTTP on the port of TLS', (socket) => socket.end(answer('ok')), { 'C-SD-01': 'FAIL' }),
  plainKind('never says hello', () => undefined),
  plainKind('an alert instead of a hello', (socket) => socket.end(ALERT)),
  plainKind('warnings without an end', floodAfter(WARNING, WARNING)),
  plainKind('a hello of 16 MiB that drips', dripAfter(HELLO_START, '\0')),
  plainKind('closes after the first hello', (socket) => socket.end()),
  plainKind('resets after the first hello', (socket) => socket.resetAndDestroy()),
  plainKind('records of garbage', floodAfter(HELLO_START, '\x16\x03\x03\x00\x04abcd')),
  afterHandshake('an alert in the middle of a body', (socket) => {
    socket.write(`${OK_HEAD}content-length: 100\r\n\r\n<title>Half`, () => reachRaw(socket)?.end(ALERT));
  }),
  afterHandshake('closes without saying so', (socket) => {
    socket.write(`${OK_HEAD}content-length: 100\r\n\r\n<title>Half`, () => socket.destroy());
  }),
  afterHandshake('plain bytes in the middle of a body', (socket) => {
    socket.write(`${OK_HEAD}content-length: 100\r\n\r\n<title>Half`, () =>
      reachRaw(socket)?.write('GET / HTTP/1.1\r\n\r\n'),
    );
  }),
  afterHandshake('a body without an end', floodAfter(`${OK_HEAD}\r\n`, 'x'), {}),
];
