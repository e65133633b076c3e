import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Test } from 'tap';
import { listen, type Listening } from './listen.js';

/** A message as it came in. */
export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver extends Pick<Listening, 'port' | 'connectionCount'> {
  /** In the order in which they came. */
  readonly messages: ReceivedMessage[];
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
  const listening = await listen(server, address);
  t.teardown(() => listening.close());
  const receiver: Receiver = {
    ...listening,
    messages,
    answer: (response) => response.writeHead(204).end(),
  };
  return receiver;
}
