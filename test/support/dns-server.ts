import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

/** The answers for a name. A function gets the number of earlier questions. */
export interface DnsName {
  readonly A?: readonly string[] | ((asked: number) => readonly string[]);
  readonly AAAA?: readonly string[];
  readonly TXT?: readonly (readonly string[])[];
  /** The name of which it is an alias, and which has the answers above. */
  readonly CNAME?: string;
  /** The types that get no answer. */
  readonly silent?: readonly RecordType[];
  /** True if the server answers SERVFAIL to every type, or the types. */
  readonly isBroken?: true | readonly RecordType[];
}
type RecordType = 'A' | 'AAAA' | 'TXT';

export interface DnsServer {
  /** Such as `127.0.0.1:43211`. */
  readonly address: string;
  /** Every question, such as `A www.fixture-site.com`. */
  readonly questions: string[];
  close(): Promise<void>;
}

const TYPES: Readonly<Record<number, RecordType>> = { 1: 'A', 16: 'TXT', 28: 'AAAA' };
const NXDOMAIN = 3;
const SERVFAIL = 2;

/** Starts a name server on loopback. Other names do not exist. */
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
    const isBroken = entry?.isBroken === true || (entry?.isBroken?.includes(type) ?? false);
    const rcode = entry === undefined ? NXDOMAIN : isBroken ? SERVFAIL : 0;
    const records = entry && rcode === 0 ? encodeAnswers(entry, type, query.readUInt16BE(end - 4), asked) : [];
    socket.send(encodeMessage(query, end, ANSWERED | rcode, records), port, address);
  });
  await once(socket.bind(0, '127.0.0.1'), 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: async () => void (await once(socket.close(), 'close')),
  };
}

/** @returns `end` of the question in the message */
export function readQuestion(query: Buffer): { name: string; type: RecordType; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: TYPES[query.readUInt16BE(at + 1)] ?? 'A', end: at + 5 };
}

function encodeAnswers(entry: DnsName, type: RecordType, typeCode: number, asked: number): Buffer[] {
  const alias = entry.CNAME === undefined ? undefined : encodeName(entry.CNAME);
  const records = dataOf(entry, type, asked).map((data) => encodeRecord(typeCode, data, alias));
  return alias === undefined ? records : [encodeRecord(CNAME, alias), ...records];
}

function dataOf(entry: DnsName, type: RecordType, asked: number): Buffer[] {
  if (type === 'TXT') return (entry.TXT ?? []).map((pieces) => Buffer.concat(pieces.map(encodeText)));
  const addresses = type === 'AAAA' ? entry.AAAA : typeof entry.A === 'function' ? entry.A(asked) : entry.A;
  return (addresses ?? []).map((address) => Buffer.from(ipaddr.parse(address).toByteArray()));
}

function encodeText(piece: string): Buffer {
  return Buffer.concat([Buffer.of(piece.length), Buffer.from(piece, 'latin1')]);
}

function encodeName(name: string): Buffer {
  return Buffer.concat([...name.split('.').map(encodeText), Buffer.of(0)]);
}

/** Stands for the name of the question: a pointer to where the message has it. */
export const ASKED_NAME = Buffer.of(0xc0, 0x0c);
export const CNAME = 5;
/** An answer to a recursive query. */
export const ANSWERED = 0x8180;

/** Encodes a message with the question of a query, whose end is given, and these records. */
export function encodeMessage(
  query: Buffer,
  end: number,
  flags: number,
  records: readonly Buffer[],
  id = query.readUInt16BE(0),
): Buffer {
  const head = Buffer.alloc(12);
  for (const [index, value] of [id, flags, 1, records.length].entries()) head.writeUInt16BE(value, index * 2);
  return Buffer.concat([head, query.subarray(12, end), ...records]);
}

export function encodeRecord(type: number, data: Uint8Array, name: Uint8Array = ASKED_NAME): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, fixed, data]);
}
