import { once } from 'node:events';
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { listen } from '../../../support/listen.js';
import { PUBLIC_ADDRESS } from '../../../support/network-scene.js';
import { type HostileKind, startHost } from '../host.js';
import { answering, GOOD_ROUTES } from '../site.js';

/** Returns the datagrams that answer a query. */
type Reply = (query: Buffer, questionEnd: number) => readonly Buffer[];

const ADDRESS = Buffer.from(PUBLIC_ADDRESS.split('.').map(Number));
const NAME_OF_QUESTION = Buffer.of(0xc0, 0x0c);
const A = 1;
const CNAME = 5;
const SERVED = 0x8180;
const TRUNCATED = 0x8380;

/** A message with the query's id and question, and these records. */
function message(query: Buffer, end: number, flags: number, records: readonly Buffer[], id = query.readUInt16BE(0)) {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, query.subarray(12, end), ...records]);
}

function record(type: number, data: Uint8Array, name: Uint8Array = NAME_OF_QUESTION): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, fixed, data]);
}

const GOOD = record(A, ADDRESS);

const REPLIES: Readonly<Record<string, Reply>> = {
  'never answers': () => [],
  'answers with garbage': (query) => [Buffer.alloc(300, 0xff), query.subarray(0, 5), Buffer.alloc(0)],
  'answers under another id, a thousand times': (query, end) =>
    Array.from({ length: 1000 }, (_, id) => message(query, end, SERVED, [GOOD], id ^ query.readUInt16BE(0) ^ 0x8000)),
  'promises 65,535 answers': (query, end) => [message(query, end, SERVED, []).fill(0xff, 6, 8)],
  'has a name that points at itself': (query, end) => [
    message(query, end, SERVED, [record(CNAME, NAME_OF_QUESTION, Buffer.from([0xc0, end])), GOOD]),
  ],
  'has an alias that leads to itself': (query, end) => [message(query, end, SERVED, [record(CNAME, NAME_OF_QUESTION)])],
  'has four thousand addresses': (query, end) => [message(query, end, SERVED, Array<Buffer>(4000).fill(GOOD))],
  'says that the answer is longer, and accepts a connection in silence': (query, end) => [
    message(query, end, TRUNCATED, []),
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
    for (const datagram of reply(query, endOfQuestion(query))) udp.send(datagram, asker, address);
  });
  await once(udp.bind(tcp.port, '127.0.0.1'), 'listening');
  return {
    address: `127.0.0.1:${tcp.port}`,
    close: async () => void (await Promise.all([tcp.close(), once(udp.close(), 'close')])),
  };
}

function endOfQuestion(query: Buffer): number {
  let at = 12;
  while (query.readUInt8(at) > 0) at += 1 + query.readUInt8(at);
  return at + 5;
}
