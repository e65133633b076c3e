import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { readFixture } from '../../../support/project.js';
import { type HostileKind, type HostOptions, startHost, type Yields } from '../host.js';
import { answering, GOOD_ROUTES } from '../site.js';
import { answer, dripAfter, floodAfter, OK_HEAD, type Talk } from '../talk.js';

const readPem = (name: string): string => readFixture(`tls/${name}.pem`);

const HOSTNAME = 'secure.fixture-site.com';
const VALID = readPem('valid');
const TRUSTED = { hostname: HOSTNAME, ca: VALID };
const TLS = { key: readPem('key'), cert: VALID };
const answerWell = answering(GOOD_ROUTES);

/** A good site whose TLS has these options. */
function tlsKind(
  name: string,
  tls: TlsOptions,
  options: HostOptions = TRUSTED,
  yields: Yields = 'nothing',
): HostileKind {
  return { name: `tls: ${name}`, yields, start: () => startHost(answerWell, { ...options, tls: { ...TLS, ...tls } }) };
}

/** A server with a certificate that misbehaves after the handshake. */
function afterHandshake(name: string, behave: Talk, yields: Yields = 'nothing'): HostileKind {
  return { name: `tls: ${name}`, yields, start: () => startHost(behave, { ...TRUSTED, tls: TLS }) };
}

/** A server without TLS on an address with https. */
function plainKind(name: string, behave: Talk, yields: Yields = 'nothing'): HostileKind {
  const onConnection = (socket: Socket) => socket.once('data', () => behave(socket)).resume();
  return { name: `tls: ${name}`, yields, start: () => startHost(null, { ...TRUSTED, scheme: 'https', onConnection }) };
}

const ALERT = Buffer.of(21, 3, 3, 0, 2, 2, 40);
const HELLO_START = Buffer.of(22, 3, 3, 64, 0, 2, 0, 63, 252, 3, 3);

/** Faults of TLS: certificates, versions, and handshakes that lead nowhere. */
export const TLS_KINDS: readonly HostileKind[] = [
  tlsKind('an expired certificate', { cert: readPem('expired') }, { ...TRUSTED, ca: readPem('expired') }),
  tlsKind('a certificate for another name', {}, { ca: VALID }),
  tlsKind('a self-signed certificate', {}, { hostname: HOSTNAME }),
  tlsKind('an old version only', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }),
  tlsKind('a certificate that never comes', { SNICallback: () => undefined }),
  tlsKind('three thousand certificates', { cert: VALID.repeat(3000) }, TRUSTED, 'anything'),
  // A scan tries http once if https fails.
  plainKind('plain HTTP on the port of TLS', (socket) => socket.end(answer('ok')), 'anything'),
  plainKind('never says hello', () => undefined),
  plainKind('an alert instead of a hello', (socket) => socket.end(ALERT)),
  plainKind('a hello of 16 MiB that drips', dripAfter(HELLO_START, '\0')),
  plainKind('closes after the first hello', (socket) => socket.end()),
  plainKind('records of garbage', floodAfter(HELLO_START, '\x16\x03\x03\x00\x04abcd')),
  afterHandshake('closes without saying so', (socket) => {
    socket.write(`${OK_HEAD}content-length: 100\r\n\r\n<title>Half`, () => socket.destroy());
  }),
  afterHandshake('a body without an end', floodAfter(`${OK_HEAD}\r\n`, 'x'), 'anything'),
];
