import { createSocket } from 'node:dgram';
import ipaddr from 'ipaddr.js';

/** What a name answers. A function is given how often the question was asked before. */
export interface DnsName {
  readonly A?: readonly string[] | ((asked: number) => readonly string[]);
  readonly AAAA?: readonly string[];
  readonly TXT?: readonly (readonly string[])[];
  /** The types that get no answer at all. */
  readonly silent?: readonly RecordType[];
  /** The server answers SERVFAIL. */
  readonly isBroken?: true;
}
type RecordType = 'A' | 'AAAA' | 'TXT';

export interface DnsServer {
  /** Such as `127.0.0.1:43211`, as a resolver takes it. */
  readonly address: string;
  /** Every question, such as `A www.fixture-site.com`. */
  readonly questions: string[];
  close(): Promise<void>;
}

const TYPES: Readonly<Record<number, RecordType>> = { 1: 'A', 16: 'TXT', 28: 'AAAA' };
const NXDOMAIN = 3;
const SERVFAIL = 2;

/** A name server on a loopback socket that knows a few names; all others do not exist. */
export async function startDnsServer(names: Readonly<Record<string, DnsName>>): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const question = `${type} ${name}`;
    const asked = questions.filter((before) => before === question).length;
    questions.push(question);
    const entry = Object.hasOwn(names, name) ? names[name] : undefined;
    if (entry?.silent?.includes(type)) return;
    const rcode = entry === undefined ? NXDOMAIN : entry.isBroken ? SERVFAIL : 0;
    const records = entry === undefined || rcode !== 0 ? [] : recordsOf(entry, type, asked);
    socket.send(encodeAnswer(query.subarray(0, end), rcode, query.readUInt16BE(end - 4), records), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: RecordType; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: TYPES[query.readUInt16BE(at + 1)] ?? 'A', end: at + 5 };
}

function recordsOf(entry: DnsName, type: RecordType, asked: number): Buffer[] {
  if (type === 'TXT') return (entry.TXT ?? []).map((pieces) => Buffer.concat(pieces.map(encodeText)));
  const addresses = type === 'AAAA' ? entry.AAAA : typeof entry.A === 'function' ? entry.A(asked) : entry.A;
  return (addresses ?? []).map((address) => Buffer.from(ipaddr.parse(address).toByteArray()));
}

function encodeText(piece: string): Buffer {
  return Buffer.concat([Buffer.of(piece.length), Buffer.from(piece, 'latin1')]);
}

function encodeAnswer(query: Buffer, rcode: number, type: number, records: readonly Buffer[]): Buffer {
  const head = Buffer.from(query);
  head.writeUInt16BE(0x8180 | rcode, 2);
  head.writeUInt16BE(records.length, 6);
  // The query's own count of additional records (EDNS) does not come back.
  head.writeUInt16BE(0, 10);
  const answers = records.map((data) => {
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(0, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...answers]);
}
