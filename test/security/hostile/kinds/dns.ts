import { once } from 'node:events';
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { ANSWERED, ASKED_NAME, CNAME, encodeMessage, encodeRecord, readQuestion } from '../../../support/dns-server.js';
import { listen } from '../../../support/listen.js';
import { PUBLIC_ADDRESS } from '../../../support/network-scene.js';
import { type HostileKind, startHost } from '../host.js';
import { answering, GOOD_ROUTES } from '../site.js';

/** Returns the datagrams that answer a query. */
type Reply = (query: Buffer, questionEnd: number) => readonly Buffer[];

const ADDRESS = Buffer.from(PUBLIC_ADDRESS.split('.').map(Number));
const A = 1;
const TRUNCATED = 0x8380;
const GOOD = encodeRecord(A, ADDRESS);

const REPLIES: Readonly<Record<string, Reply>> = {
  'never answers': () => [],
  'answers with garbage': (query) => [Buffer.alloc(300, 0xff), query.subarray(0, 5), Buffer.alloc(0)],
  'answers under another id, a thousand times': (query, end) =>
    Array.from({ length: 1000 }, (_, id) =>
      encodeMessage(query, end, ANSWERED, [GOOD], id ^ query.readUInt16BE(0) ^ 0x8000),
    ),
  'promises 65,535 answers': (query, end) => [encodeMessage(query, end, ANSWERED, []).fill(0xff, 6, 8)],
  'has a name that points at itself': (query, end) => [
    encodeMessage(query, end, ANSWERED, [encodeRecord(CNAME, ASKED_NAME, Buffer.from([0xc0, end])), GOOD]),
  ],
  'has an alias that leads to itself': (query, end) => [
    encodeMessage(query, end, ANSWERED, [encodeRecord(CNAME, ASKED_NAME)]),
  ],
  'has four thousand addresses': (query, end) => [encodeMessage(query, end, ANSWERED, Array<Buffer>(4000).fill(GOOD))],
  'says that the answer is longer, and accepts a connection in silence': (query, end) => [
    encodeMessage(query, end, TRUNCATED, []),
  ],
};

/** Name servers that break the rules. */
export const DNS_KINDS: readonly HostileKind[] = Object.entries(REPLIES).map(([name, reply]) => ({
  name: `dns: ${name}`,
  yields: name.includes('addresses') ? 'anything' : 'nothing',
  start: () => startHost(answering(GOOD_ROUTES), { startDns: () => startNameServer(reply) }),
}));

/** Starts UDP with these replies, and silent TCP, on one port. */
async function startNameServer(reply: Reply): Promise<{ address: string; close(): Promise<void> }> {
  const tcp = await listen(createServer());
  const udp: UdpSocket = createSocket('udp4', (query: Buffer, { port: asker, address }: RemoteInfo) => {
    for (const datagram of reply(query, readQuestion(query).end)) udp.send(datagram, asker, address);
  });
  await once(udp.bind(tcp.port, '127.0.0.1'), 'listening');
  return {
    address: `127.0.0.1:${tcp.port}`,
    close: async () => void (await Promise.all([tcp.close(), once(udp.close(), 'close')])),
  };
}
