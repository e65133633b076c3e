import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';

/**
 * HTTP/2 servers that no library would be: they say their frames byte for byte. Each says what it does with a request, which it
 * knows by its stream alone; settings, pings and windows are answered and kept as RFC 9113 says.
 */

const DATA = 0;
const HEADERS = 1;
const PRIORITY = 2;
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
const GOAWAY = 7;
const WINDOW_UPDATE = 8;
const CONTINUATION = 9;
const ALTSVC = 10;
/** A type that nobody knows, and that everybody must ignore. */
const UNKNOWN = 0x4f;

const ACK = 1;
const END_STREAM = 1;
const END_HEADERS = 4;

/** The start of a client's connection: a text, then frames. */
const PREFACE_BYTES = 24;
const HEAD_BYTES = 9;
const FRAME_BYTES_MAX = 16_384;

type Bytes = Uint8Array | string;

function frame(type: number, flags: number, stream: number, payload: Bytes = ''): Buffer {
  const body = Buffer.from(payload as string, 'latin1');
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(body.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}

function numbers(...values: readonly number[]): Buffer {
  return Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    }),
  );
}

/** A field in HPACK without compression; `kind` says whether the other side has to remember it. */
function field(name: string, value: string, kind: 'remembered' | 'plain' = 'plain'): string {
  return `${kind === 'plain' ? '\0' : '\x40'}${text(name)}${text(value)}`;
}

function text(value: string): string {
  if (value.length < 127) return String.fromCharCode(value.length) + value;
  let length = '\x7f';
  let rest = value.length - 127;
  for (; rest > 127; rest >>= 7) length += String.fromCharCode((rest & 127) | 128);
  return length + String.fromCharCode(rest) + value;
}

const STATUS_200 = '\x88';
const STATUS_103 = field(':status', '103');

class Connection {
  readonly streams: number[] = [];
  #received: Buffer = Buffer.alloc(0);
  #isGreeted = false;
  #initialWindow = 65_535;
  #window = 65_535;
  readonly #windows = new Map<number, number>();
  readonly #pouring = new Map<number, number>();

  constructor(
    readonly socket: TLSSocket,
    readonly onRequest: (connection: Connection, stream: number) => void,
  ) {
    socket.on('error', () => undefined).on('data', (bytes: Buffer) => this.#receive(bytes));
    this.write(frame(SETTINGS, 0, 0));
  }

  write(frames: Uint8Array): boolean {
    return !this.socket.destroyed && this.socket.writable && this.socket.write(frames);
  }

  head(stream: number, fields = ''): void {
    this.write(frame(HEADERS, END_HEADERS, stream, STATUS_200 + fields));
  }

  answer(stream: number, body: Bytes = 'ok'): void {
    this.head(stream);
    this.write(frame(DATA, END_STREAM, stream, body));
  }

  /** A body without an end in pieces of so many bytes, as fast as the windows of the other side let it. */
  pourBody(stream: number, pieceBytes: number): void {
    this.#pouring.set(stream, pieceBytes);
    this.#pour(stream, pieceBytes);
  }

  /** Frames without an end, as fast as the connection takes them. */
  flood(piece: Uint8Array): void {
    const large = Buffer.concat(Array<Uint8Array>(Math.max(1, Math.floor(65_536 / piece.length))).fill(piece));
    const pour = () => {
      let isTaken = true;
      for (let count = 0; isTaken && count < 16; count += 1) isTaken = this.write(large);
      if (!this.socket.writable) return;
      if (isTaken) setImmediate(pour);
      else this.socket.once('drain', pour);
    };
    pour();
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    if (!this.#isGreeted) {
      if (this.#received.length < PREFACE_BYTES) return;
      this.#isGreeted = true;
      this.#received = this.#received.subarray(PREFACE_BYTES);
    }
    while (this.#received.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + this.#received.readUIntBE(0, 3);
      if (this.#received.length < end) return;
      const whole = this.#received;
      this.#received = whole.subarray(end);
      this.#hear(whole.readUInt8(3), whole.readUInt8(4), whole.readUInt32BE(5), whole.subarray(HEAD_BYTES, end));
    }
  }

  #hear(type: number, flags: number, stream: number, payload: Buffer): void {
    if (type === SETTINGS && (flags & ACK) === 0) {
      for (let at = 0; at < payload.length; at += 6)
        if (payload.readUInt16BE(at) === 4) this.#initialWindow = payload.readUInt32BE(at + 2);
      this.write(frame(SETTINGS, ACK, 0));
    } else if (type === PING && (flags & ACK) === 0) {
      this.write(frame(PING, ACK, 0, payload));
    } else if (type === WINDOW_UPDATE) {
      if (stream === 0) this.#window += payload.readUInt32BE(0);
      else this.#windows.set(stream, this.#windowOf(stream) + payload.readUInt32BE(0));
      for (const [pouring, pieceBytes] of this.#pouring) this.#pour(pouring, pieceBytes);
    } else if (type === RST_STREAM) {
      this.#pouring.delete(stream);
    } else if (type === HEADERS) {
      this.streams.push(stream);
      this.onRequest(this, stream);
    }
  }

  #windowOf(stream: number): number {
    return this.#windows.get(stream) ?? this.#initialWindow;
  }

  #pour(stream: number, pieceBytes: number): void {
    const pieces: Buffer[] = [];
    for (;;) {
      const bytes = Math.min(pieceBytes, this.#window, this.#windowOf(stream));
      if (bytes <= 0) break;
      this.#window -= bytes;
      this.#windows.set(stream, this.#windowOf(stream) - bytes);
      pieces.push(frame(DATA, 0, stream, 'x'.repeat(bytes)));
    }
    if (pieces.length > 0) this.write(Buffer.concat(pieces));
  }
}

type Behave = (connection: Connection, stream: number) => void;

/** Half of a body, then this. */
const half =
  (fields: string, then: Behave): Behave =>
  (connection, stream) => {
    connection.head(stream, fields);
    connection.write(frame(DATA, 0, stream, '<title>Half'));
    // The other side must have read the half before it learns that there is no other.
    setTimeout(() => then(connection, stream), 50);
  };

const flood =
  (piece: (stream: number) => Uint8Array, start: (stream: number) => Uint8Array = () => Buffer.alloc(0)): Behave =>
  (connection, stream) => {
    connection.write(start(stream));
    connection.flood(piece(stream));
  };

const CODES = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  ENHANCE_YOUR_CALM: 11,
};

const CUTS: Record<string, Behave> = {
  'the end of the connection': ({ socket }) => void socket.end(),
  'a reset of the connection': ({ socket }) => void socket.destroy(),
  'GOAWAY with an error': (connection, stream) => {
    connection.write(frame(GOAWAY, 0, 0, numbers(stream, CODES.INTERNAL_ERROR)));
    connection.socket.end();
  },
};
for (const [name, code] of Object.entries(CODES))
  CUTS[`RST_STREAM ${name}`] = (connection, stream) =>
    void connection.write(frame(RST_STREAM, 0, stream, numbers(code)));

/** How long an answer takes, and how long a connection stays once all of them were given. */
const ANSWER_MS = 30;
const LINGER_MS = 300;

/** Takes so many requests on one connection and says so with the last, answers them a little later, and closes when all is read. */
const closeAfter =
  (count: number, { isAnnounced = false } = {}): Behave =>
  (connection, stream) => {
    const { streams, socket } = connection;
    const goAway = (last: number) => connection.write(frame(GOAWAY, 0, 0, numbers(last, CODES.NO_ERROR)));
    if (isAnnounced) {
      // RFC 9113 §6.8: first that it will close, then, when all that was on its way has come, with what.
      if (streams.length === count) {
        goAway(2 ** 31 - 1);
        setTimeout(() => goAway(streams.at(-1) ?? 0), ANSWER_MS);
      }
    } else {
      if (streams.length > count) return;
      if (streams.length === count) goAway(stream);
    }
    setTimeout(() => connection.answer(stream), 2 * ANSWER_MS);
    if (streams.length === count) setTimeout(() => socket.end(), 2 * ANSWER_MS + LINGER_MS);
  };

const REMEMBERED = 'x'.repeat(3900);

/** Kinds of hostile HTTP/2 servers by name; the families of `http2.ts` go by the first word. */
export const HTTP2_KINDS: Readonly<Record<string, Behave>> = {
  'unread: a body without an end': (connection, stream) => {
    connection.head(stream);
    connection.pourBody(stream, FRAME_BYTES_MAX);
  },
  'unread: a body without an end, byte by byte': (connection, stream) => {
    connection.head(stream);
    connection.pourBody(stream, 1);
  },
  'unread: frames that belong to nothing': flood(() => frame(UNKNOWN, 0, 0, 'x'.repeat(FRAME_BYTES_MAX))),
  ...Object.fromEntries(
    Object.entries(CUTS).flatMap(([name, cut]) => [
      [`cut: ${name}`, half('', cut)],
      [`cut: ${name}, with a length`, half(field('content-length', '1000'), cut)],
    ]),
  ),
  'goaway: after 8 streams': closeAfter(8),
  'goaway: after 4 streams': closeAfter(4),
  'goaway: after 3 streams': closeAfter(3),
  'goaway: after 1 stream': closeAfter(1),
  'goaway: after 3 streams, in two steps': closeAfter(3, { isAnnounced: true }),
  'flood: 1xx answers': flood((stream) => frame(HEADERS, END_HEADERS, stream, STATUS_103)),
  'flood: 1xx answers of 60 kB in 15 bytes': flood(
    (stream) => frame(HEADERS, END_HEADERS, stream, `${STATUS_103}${'\xbe'.repeat(15)}`),
    (stream) => frame(HEADERS, END_HEADERS, stream, STATUS_103 + field('x', REMEMBERED, 'remembered')),
  ),
  'flood: CONTINUATION': flood(
    (stream) => frame(CONTINUATION, 0, stream, field('x', 'y')),
    (stream) => frame(HEADERS, 0, stream, STATUS_200),
  ),
  'flood: SETTINGS': flood(() => frame(SETTINGS, 0, 0, '\0\x04\0\0\xff\xff')),
  'flood: SETTINGS without a setting': flood(() => frame(SETTINGS, 0, 0)),
  'flood: PING': flood(() => frame(PING, 0, 0, 'pingping')),
  'flood: WINDOW_UPDATE': flood(() => frame(WINDOW_UPDATE, 0, 0, numbers(1))),
  'flood: PRIORITY': flood((stream) => frame(PRIORITY, 0, stream, `${String(numbers(0))}\0`)),
  'flood: ALTSVC': flood(() => frame(ALTSVC, 0, 0, '\0\x01ah2=":1"')),
  'flood: frames of no known type': flood(() => frame(UNKNOWN, 0, 0)),
  'flood: DATA without a byte': flood(
    (stream) => frame(DATA, 0, stream),
    (stream) => frame(HEADERS, END_HEADERS, stream, STATUS_200),
  ),
};

const readPem = (name: string): string => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

/** Starts the kind on a free port of this address. */
export async function serveHttp2(
  name: string,
  address: string,
): Promise<{ readonly port: number; connectionCount(): number }> {
  const behave = HTTP2_KINDS[name];
  if (!behave) throw new Error(`there is no kind ${name}`);
  let count = 0;
  const options = { key: readPem('key'), cert: readPem('valid'), ALPNProtocols: ['h2', 'http/1.1'] };
  const server = createServer(options, (socket) => {
    count += 1;
    if (socket.alpnProtocol === 'h2') new Connection(socket, behave);
    else socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return { port: (server.address() as AddressInfo).port, connectionCount: () => count };
}
