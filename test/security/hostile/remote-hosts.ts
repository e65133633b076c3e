import { type ChildProcess, fork } from 'node:child_process';
import type { HostilePlace } from './kind.js';
import type { HostReply, HostRequest } from './serve-kinds.js';

export interface RemoteHost extends HostilePlace {
  stop(): Promise<void>;
}

/** Kinds that are served by another process. */
export class RemoteHosts {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: HostReply) => void>();
  #requestsMade = 0;

  constructor() {
    this.#child = fork(new URL('serve-kinds.js', import.meta.url));
    this.#child.on('message', (reply: HostReply) => {
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
  }

  async start(name: string): Promise<RemoteHost> {
    const reply = await this.#ask({ start: name });
    if (!reply.place) throw new Error('the host did not start');
    const stop = async (): Promise<void> => {
      await this.#ask({ stop: reply.id });
    };
    return { ...reply.place, stop };
  }

  end(): void {
    this.#child.disconnect();
  }

  #ask(request: { readonly start: string } | { readonly stop: number }): Promise<HostReply> {
    const id = (this.#requestsMade += 1);
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.send({ id, ...request } satisfies HostRequest);
    });
  }
}
