import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Every connection that this process opens from here on, also those that never come about. */
export class ClientSockets {
  readonly #open = new Set<Socket>();
  count = 0;

  constructor() {
    // TLS sockets are told of by the second channel only, and only once they are connected.
    for (const channel of ['net.client.socket', 'undici:client:connected']) {
      subscribe(channel, (message) => this.#add((message as { readonly socket: Socket }).socket));
    }
  }

  /** How many are still open when none is, or the time is over: what was just being connected ends with its own time limit. */
  async countLeftOpen(withinMs: number): Promise<number> {
    const closings = [...this.#open].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    const late = new AbortController();
    const patience = delay(withinMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([Promise.all(closings), patience]);
    late.abort();
    return this.#open.size;
  }

  #add(socket: Socket): void {
    if (this.#open.has(socket)) return;
    this.#open.add(socket);
    this.count += 1;
    socket.once('close', () => this.#open.delete(socket));
  }
}
