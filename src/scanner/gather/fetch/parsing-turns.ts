import type { Socket } from 'node:net';

/** How long HTTP parsers may go on before whatever else this process does has its turn. */
const PARSING_MS = 5;

/**
 * Holds connections back that bring more than is parsed in one turn of the event loop: small header fields and trailers take a
 * hundred times the time of a body's bytes, and fifty connections that are ready at once would be read one right after the other.
 * One a process, since all its connections share the event loop.
 */
export class ParsingTurns {
  readonly #held = new Set<Socket>();
  /** When the parsers began in this turn, or null before they did. */
  #beganMs: number | null = null;

  /** @param nowMs a clock that never goes back */
  constructor(private readonly nowMs = (): number => performance.now()) {}

  /** Whether the socket has to wait; if so it is told when it may be read. */
  holds(socket: Socket): boolean {
    if (this.#beganMs === null) this.#begin();
    if (!this.#isOver()) return false;
    this.#held.add(socket);
    return true;
  }

  #begin(): void {
    this.#beganMs = this.nowMs();
    setImmediate(() => this.#resume());
  }

  /** In the order of their coming; those that are still not done, and those that there is no time for, wait for the next turn. */
  #resume(): void {
    this.#beganMs = null;
    for (const socket of [...this.#held]) {
      if (this.#isOver()) return;
      this.#held.delete(socket);
      socket.emit('readable');
    }
  }

  #isOver(): boolean {
    return this.#beganMs !== null && this.nowMs() - this.#beganMs > PARSING_MS;
  }
}
