import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../support/listen.js';
import type { Fault, FaultPlan } from './fault-plan.js';

const READY = 'Z'.charCodeAt(0);
/** A simple query, and the end of an extended one: after either the server answers. */
const ENDS_STATEMENT = new Set(['Q', 'S'].map((type) => type.charCodeAt(0)));

/** Opens a passage to PostgreSQL that reads the messages which pass, and has one statement fail as the plan says. */
export async function openFaultyWire(serverUrl: string, plan: FaultPlan) {
  const url = new URL(serverUrl);
  const { hostname } = url;
  const target = Number(url.port);
  const { port, close } = await listen(
    createServer((client) => {
      if (plan.isDown) client.destroy();
      else relay(client, connect(target, hostname), plan);
    }),
  );
  url.host = `127.0.0.1:${port}`;
  return { url: url.href, close };
}

function relay(client: Socket, upstream: Socket, plan: FaultPlan): void {
  const cut = (): void => {
    client.destroy();
    upstream.destroy();
  };
  let isAnswerLost = false;
  let statement: Buffer[] = [];
  const fail = (fault: Fault): void => {
    if (fault === 'cut before') cut();
    else if (fault === 'cut after') {
      isAnswerLost = true;
      upstream.write(Buffer.concat(statement));
    } else {
      client.write(errorResponse(fault));
      // What says that the server ends the connection does so.
      if (fault.startsWith('57P')) cut();
    }
  };
  const fromClient = splitMessages(true, (message, type) => {
    statement.push(message);
    const isSetUp = type === null || type === 'p'.charCodeAt(0);
    if (!isSetUp && !ENDS_STATEMENT.has(type)) return;
    const fault = isSetUp ? null : plan.next();
    if (fault === null) upstream.write(Buffer.concat(statement));
    else fail(fault);
    statement = [];
  });
  const fromServer = splitMessages(false, (message, type) => {
    if (!isAnswerLost) client.write(message);
    else if (type === READY) cut();
  });
  // With a delay, each message waits for the one before it to be acknowledged.
  client
    .setNoDelay(true)
    .on('data', fromClient)
    .on('close', () => upstream.destroy());
  upstream
    .setNoDelay(true)
    .on('data', fromServer)
    .on('close', () => client.destroy());
  upstream.on('error', () => upstream.destroy());
}

/** Cuts the stream into messages. The first of a client has a length alone, all others a type before it. */
function splitMessages(isFirstBare: boolean, hear: (message: Buffer, type: number | null) => void) {
  let rest: Buffer = Buffer.alloc(0);
  let isBare = isFirstBare;
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isBare ? 0 : 1;
      if (rest.length < head + 4) return;
      const size = head + rest.readUInt32BE(head);
      if (rest.length < size) return;
      const message = rest.subarray(0, size);
      rest = rest.subarray(size);
      const type = isBare ? null : (message[0] ?? null);
      isBare = false;
      hear(message, type);
    }
  };
}

/** What the server says of a statement that it could not do, and that it waits for the next. */
function errorResponse(code: string): Buffer {
  const fields = Buffer.from(`SERROR\0VERROR\0C${code}\0Minjected: secret detail of the server\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields, Buffer.from([READY, 0, 0, 0, 5, 'E'.charCodeAt(0)])]);
}
