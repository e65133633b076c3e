import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Entry {
  /** Resolves when the request is dealt with. */
  readonly ended: Promise<unknown>;
  /** Says that the answer can go nowhere any more. */
  readonly hangUp: () => void;
}

/**
 * The requests that are being dealt with: each until its handler has ended, and its answer has left or its connection is closed.
 * Node counts connections, and takes one that was opened and never used for busy. It also never closes the answer to
 * a pipelined request whose turn had not come when the connection broke, so the end of a connection has to be told.
 */
export class InFlight {
  readonly #entries = new Map<IncomingMessage, Entry>();

  /** @param handled resolves when the handler has ended; never rejects */
  add(request: IncomingMessage, response: ServerResponse, handled: Promise<unknown>): void {
    let hangUp = (): void => undefined;
    const gone = new Promise<void>((resolve) => (hangUp = resolve));
    response.once('close', hangUp);
    const ended = Promise.all([handled, gone]).then(() => this.#entries.delete(request));
    this.#entries.set(request, { ended, hangUp });
  }

  /** The requests of one connection. */
  on(socket: Socket): IncomingMessage[] {
    return [...this.#entries.keys()].filter((request) => request.socket === socket);
  }

  /** Resolves once these requests are dealt with. */
  async end(requests: readonly IncomingMessage[]): Promise<void> {
    for (const request of requests) await this.#entries.get(request)?.ended;
  }

  /** To be called when a connection is closed. */
  hangUp(socket: Socket): void {
    for (const request of this.on(socket)) this.#entries.get(request)?.hangUp();
  }

  /** Resolves true once none is left, or false after `timeoutMs`. */
  async settle(timeoutMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<'too late'>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, 'too late');
    });
    let last: unknown;
    while (this.#entries.size > 0 && last !== 'too late') {
      last = await Promise.race([...Array.from(this.#entries.values(), ({ ended }) => ended), tooLate]);
    }
    clearTimeout(timer);
    return this.#entries.size === 0;
  }
}
