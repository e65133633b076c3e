import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { listen, type Listening } from './listen.js';

export interface RawServer extends Listening {
  readonly address: string;
}

/**
 * A server that says exactly what `onRequest` writes, once a connection has sent the end of its header fields: for answers
 * that no HTTP library would send. Give a certificate to speak TLS.
 */
export async function startRawServer(
  onRequest: (socket: Socket, requestNumber: number) => void,
  options: {
    readonly address?: string;
    readonly tls?: TlsOptions;
    /** Answers the first bytes of a connection, whatever they are. */
    readonly isEager?: true;
  } = {},
): Promise<RawServer> {
  const { address = '127.0.0.1' } = options;
  let requestCount = 0;
  const onConnection = (socket: Socket) => {
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received += options.isEager ? '\r\n\r\n' : data.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
        received = received.slice(end + 4);
        onRequest(socket, requestCount++);
      }
    });
  };
  const server = options.tls ? createTlsServer(options.tls, onConnection) : createServer(onConnection);
  return { address, ...(await listen(server, address)) };
}
