import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FieldLine } from '../../net/transport.js';
import { digestOf, isWrongDigest } from './digest.js';

/** One record of a WARC file. */
export interface WarcRecord {
  /** Names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  readonly block: Uint8Array;
}

/** What a record to be written is made of. */
export interface NewWarcRecord {
  readonly type: 'warcinfo' | 'request' | 'response' | 'metadata';
  readonly id: string;
  readonly date: Date;
  readonly contentType: string;
  /** In the spelling of the standard; null ones are left out. */
  readonly fields?: Readonly<Record<string, string | null>>;
  readonly block: Uint8Array | string;
}

/** A malformed WARC file, or one that is larger than we read. The message is a clause of our own words. */
export class WarcError extends Error {
  override readonly name = 'WarcError';
}

export function newRecordId(): string {
  return `<urn:uuid:${randomUUID()}>`;
}

/** One record as one gzip member, as WARC 1.1 recommends in annex D: readers can seek to it. */
export function writeRecord({ type, id, date, contentType, fields = {}, block }: NewWarcRecord): Uint8Array {
  const bytes = typeof block === 'string' ? Buffer.from(block) : block;
  const head = [
    'WARC/1.1',
    `WARC-Type: ${type}`,
    `WARC-Record-ID: ${id}`,
    `WARC-Date: ${date.toISOString()}`,
    ...Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])),
    `Content-Type: ${contentType}`,
    `Content-Length: ${bytes.length}`,
    `WARC-Block-Digest: ${digestOf(bytes)}`,
  ];
  return gzipSync(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes, Buffer.from('\r\n\r\n')]));
}

const HEAD_END = Buffer.from('\r\n\r\n');
const HEAD_BYTES_MAX = 65_536;
const DIGEST_FIELD = 'warc-block-digest';
const DAMAGED = 'one of its records is damaged, its digest differs: copy the file again, or record the site again';

/**
 * The records of a WARC file after decompression.
 * @throws WarcError where it is malformed, has more than `recordsMax`, or a block is not the one that was written
 */
export function* readRecords(file: Buffer, recordsMax: number): Generator<WarcRecord> {
  let count = 0;
  for (let at = 0; at < file.length;) {
    count += 1;
    if (count > recordsMax) throw new WarcError(`it has more than ${recordsMax} records`);
    const head = file.subarray(at, at + HEAD_BYTES_MAX);
    const headBytes = head.indexOf(HEAD_END);
    if (headBytes === -1) throw new WarcError('it is cut off, or no WARC file');
    const [version = '', ...lines] = head.toString('utf8', 0, headBytes).split('\r\n');
    if (version !== 'WARC/1.1' && version !== 'WARC/1.0') throw new WarcError('it is not a WARC file');
    const fields = readFields(lines);
    const begin = at + headBytes + HEAD_END.length;
    const end = begin + lengthOf(fields);
    if (end + HEAD_END.length > file.length) throw new WarcError('it is cut off');
    if (!file.subarray(end, end + HEAD_END.length).equals(HEAD_END))
      throw new WarcError('a record has the wrong length');
    const block = file.subarray(begin, end);
    if (isWrongDigest(fields.get(DIGEST_FIELD) ?? '', block)) throw new WarcError(DAMAGED);
    yield { fields, block };
    at = end + HEAD_END.length;
  }
}

function lengthOf(fields: ReadonlyMap<string, string>): number {
  const length = fields.get('content-length') ?? '';
  if (!/^\d{1,12}$/.test(length)) throw new WarcError('a record does not say how long it is');
  return Number(length);
}

/** @returns by name in lower case */
export function readFields(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map([...readFieldLines(lines)].map(([name, value]) => [name.toLowerCase(), value]));
}

/** Splits `Name: value` at its first colon; lines without a colon are left out. */
function* readFieldLines(lines: readonly string[]): Generator<FieldLine> {
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1);
    yield [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value];
  }
}

/** Header fields and body of a message in the form of HTTP/1.1. */
export interface HttpMessage {
  readonly startLine: string;
  readonly fields: readonly FieldLine[];
  readonly body: Uint8Array;
}

/** A text as UTF-8, a character for each octet. */
export function octetsOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function writeMessage({ startLine, fields, body }: HttpMessage): Uint8Array {
  const lines = [startLine, ...fields.map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}`)];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/**
 * A record without a digest is of a version that wrote the text of header fields, as UTF-8, and not their octets.
 * @throws WarcError where there is no end of the header fields
 */
export function readMessage({ fields, block }: WarcRecord, headBytesMax: number): HttpMessage {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const headBytes = bytes.subarray(0, headBytesMax).indexOf(HEAD_END);
  if (headBytes === -1) throw new WarcError('a record holds no HTTP message');
  const head = bytes.subarray(0, headBytes);
  const isAsSent = fields.has(DIGEST_FIELD);
  const octets = isAsSent ? head.toString('latin1') : octetsOf(head.toString());
  const [startLine = '', ...lines] = octets.split('\r\n');
  return { startLine, fields: [...readFieldLines(lines)], body: bytes.subarray(headBytes + HEAD_END.length) };
}

/** No site may end a line of ours; no HTTP parser lets it through, either. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}
