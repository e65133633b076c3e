import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { PUBLIC_ADDRESS } from '../../../support/network-scene.js';
import { startHost } from '../host.js';
import type { HostileKind, Yields } from '../kind.js';
import { answering } from '../site.js';
import { GOOD_ROUTES } from '../good-site.js';

/** What a name server sends for a query, as whole datagrams. */
type Reply = (query: Buffer, questionEnd: number) => readonly Buffer[];

const ADDRESS = Buffer.from(PUBLIC_ADDRESS.split('.').map(Number));
const NAME_OF_QUESTION = Buffer.of(0xc0, 0x0c);
const A = 1;
const CNAME = 5;
const SERVED = 0x8180;
const TRUNCATED = 0x8380;

/** One message: the query's id and question, then what is given. */
function message(query: Buffer, end: number, flags: number, records: readonly Buffer[], id = query.readUInt16BE(0)) {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, query.subarray(12, end), ...records]);
}

function record(type: number, data: Uint8Array, name: Uint8Array = NAME_OF_QUESTION, length = data.length): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(length, 8);
  return Buffer.concat([name, fixed, data]);
}

const GOOD = record(A, ADDRESS);
/** Points at itself. */
const LOOPING_NAME = Buffer.of(0xc0, 0x0c);

const REPLIES: Readonly<Record<string, readonly [reply: Reply, yields?: Yields]>> = {
  'never answers': [() => []],
  'answers with garbage': [(query) => [Buffer.alloc(300, 0xff), query.subarray(0, 5), Buffer.alloc(0)]],
  'answers under another id, a thousand times': [
    (query, end) =>
      Array.from({ length: 1000 }, (_, id) => message(query, end, SERVED, [GOOD], id ^ query.readUInt16BE(0) ^ 0x8000)),
  ],
  'sends the query back': [(query) => [query]],
  'says that it fails': [(query, end) => [message(query, end, 0x8182, [])]],
  refuses: [(query, end) => [message(query, end, 0x8185, [])]],
  'has a record that is longer than its message': [
    (query, end) => [message(query, end, SERVED, [record(A, ADDRESS, NAME_OF_QUESTION, 60_000)])],
  ],
  'has a name that points at itself': [
    (query, end) => [message(query, end, SERVED, [record(CNAME, LOOPING_NAME, Buffer.from([0xc0, end])), GOOD])],
  ],
  'has an alias that leads to itself': [
    (query, end) => [message(query, end, SERVED, [record(CNAME, NAME_OF_QUESTION)])],
  ],
  'has four thousand addresses': [(query, end) => [message(query, end, SERVED, Array<Buffer>(4000).fill(GOOD))], {}],
  'has an address of three bytes': [(query, end) => [message(query, end, SERVED, [record(A, ADDRESS.subarray(1))])]],
  'says that the answer is longer, and accepts a connection in silence': [
    (query, end) => [message(query, end, TRUNCATED, [])],
  ],
};

/** Name servers that answer as none should. */
export const DNS_KINDS: readonly HostileKind[] = Object.entries(REPLIES).map(([name, [reply, yields = 'nothing']]) => ({
  name: `dns: ${name}`,
  yields,
  start: () => startHost(answering(GOOD_ROUTES), { startDns: () => startNameServer(reply) }),
}));

/** UDP with these replies, and TCP that never says a word, on one port. */
async function startNameServer(reply: Reply): Promise<{ address: string; close(): Promise<void> }> {
  const connections = new Set<Socket>();
  const tcp = createServer((socket) => {
    connections.add(socket.on('error', () => undefined).on('close', () => connections.delete(socket)));
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;
  const udp: UdpSocket = createSocket('udp4', (query: Buffer, { port: asker, address }: RemoteInfo) => {
    for (const datagram of reply(query, endOfQuestion(query))) udp.send(datagram, asker, address);
  });
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${port}`,
    close: async () => {
      for (const connection of connections) connection.destroy();
      await Promise.all([
        new Promise((resolve) => tcp.close(resolve)),
        new Promise<void>((resolve) => udp.close(() => resolve())),
      ]);
    },
  };
}

function endOfQuestion(query: Buffer): number {
  let at = 12;
  while (query.readUInt8(at) > 0) at += 1 + query.readUInt8(at);
  return at + 5;
}
