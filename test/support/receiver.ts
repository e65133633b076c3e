import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** A message as it came in. */
export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  /** In the order in which they came. */
  readonly messages: ReceivedMessage[];
  readonly connectionCount: () => number;
  /** How it answers from now on. By default 204. */
  answer: (response: ServerResponse, message: ReceivedMessage) => void;
}

/** A server that takes messages on a loopback address, until the test ends. @param onMessage is told of each as it comes in */
export async function startReceiver(
  t: Pick<Test, 'teardown'>,
  address: string,
  onMessage: (message: ReceivedMessage) => void = () => undefined,
): Promise<Receiver> {
  const messages: ReceivedMessage[] = [];
  let connectionCount = 0;
  const receiver = {
    port: 0,
    messages,
    connectionCount: () => connectionCount,
    answer: (response: ServerResponse): unknown => response.writeHead(204).end(),
  } as Receiver & { port: number };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const message = { path: request.url ?? '', headers: request.headers, body };
      messages.push(message);
      onMessage(message);
      receiver.answer(response, message);
    });
  });
  server.on('connection', () => (connectionCount += 1));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  receiver.port = (server.address() as AddressInfo).port;
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return receiver;
}
