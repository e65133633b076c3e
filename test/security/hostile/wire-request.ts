import type { Socket } from 'node:net';

/** One request as it came over the wire. */
export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How many came before it on this connection. */
  readonly index: number;
}

/** Calls back for each request of a connection, once it is whole. */
export function readRequests(socket: Socket, onRequest: (socket: Socket, request: WireRequest) => void): void {
  let received = '';
  let index = 0;
  socket.on('data', (data) => {
    received += data.toString('latin1');
    for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
      const { bodyLength, ...head } = readHead(received.slice(0, end));
      if (received.length < end + 4 + bodyLength) return;
      const body = received.slice(end + 4, end + 4 + bodyLength);
      received = received.slice(end + 4 + bodyLength);
      onRequest(socket, { ...head, body, index: index++ });
    }
  });
}

function readHead(head: string): Omit<WireRequest, 'body' | 'index'> & { bodyLength: number } {
  const [requestLine = '', ...lines] = head.split('\r\n');
  const [method = '', path = ''] = requestLine.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { method, path, headers, bodyLength: Number(headers['content-length'] ?? 0) };
}
