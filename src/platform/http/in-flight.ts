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
  readonly #connections = new Map<Socket, Map<IncomingMessage, Entry>>();

  /** @param handled resolves when the handler has ended; never rejects */
  add(request: IncomingMessage, response: ServerResponse, handled: Promise<unknown>): void {
    const { socket } = request;
    const entries = this.#connections.get(socket) ?? new Map<IncomingMessage, Entry>();
    this.#connections.set(socket, entries);
    let hangUp = (): void => undefined;
    const gone = new Promise<void>((resolve) => (hangUp = resolve));
    response.once('close', hangUp);
    const ended = Promise.all([handled, gone]).then(() => {
      entries.delete(request);
      if (entries.size === 0 && this.#connections.get(socket) === entries) this.#connections.delete(socket);
    });
    entries.set(request, { ended, hangUp });
  }

  /** How many requests of one connection there are. */
  countOn(socket: Socket): number {
    return this.#connections.get(socket)?.size ?? 0;
  }

  /** Resolves once all requests of a connection are dealt with that are there now. */
  async endOn(socket: Socket): Promise<void> {
    await Promise.all(this.#endsOn(socket));
  }

  /** To be called when a connection is closed. */
  hangUp(socket: Socket): void {
    for (const { hangUp } of this.#connections.get(socket)?.values() ?? []) hangUp();
  }

  /** Resolves true once none is left, or false after `timeoutMs`. */
  async settle(timeoutMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<'too late'>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, 'too late');
    });
    let last: unknown;
    while (this.#connections.size > 0 && last !== 'too late') {
      const ends = [...this.#connections.keys()].flatMap((socket) => this.#endsOn(socket));
      last = await Promise.race([...ends, tooLate]);
    }
    clearTimeout(timer);
    return this.#connections.size === 0;
  }

  #endsOn(socket: Socket): Promise<unknown>[] {
    return Array.from(this.#connections.get(socket)?.values() ?? [], ({ ended }) => ended);
  }
}
