import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Entry {
  /** Resolves when the request is finished. */
  readonly ended: Promise<unknown>;
  /** Reports that the answer can no longer be sent. */
  readonly hangUp: () => void;
}

/**
 * The requests in flight: each until its handler has ended and its answer is sent or its connection is closed. Node counts
 * connections instead, and treats an opened but unused one as busy. Node also never closes the answer to a pipelined request that
 * was still queued when the connection broke, so callers must report the end of a connection.
 */
export class InFlight {
  readonly #connections = new Map<Socket, Map<IncomingMessage, Entry>>();

  /**
   * @param handled resolves when the handler has ended; never rejects
   * @returns resolves when the request is no longer in flight
   */
  add(request: IncomingMessage, response: ServerResponse, handled: Promise<unknown>): Promise<void> {
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
    return ended;
  }

  /** How many requests of the connection are in flight. */
  countOn(socket: Socket): number {
    return this.#connections.get(socket)?.size ?? 0;
  }

  /** Resolves once all current requests of the connection are finished. */
  async endOn(socket: Socket): Promise<void> {
    await Promise.all(this.#endsOn(socket));
  }

  /** Call it when a connection is closed. */
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
