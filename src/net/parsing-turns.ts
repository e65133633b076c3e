import type { Socket } from 'node:net';

/** How long HTTP parsers may run in one turn of the event loop before they yield to the rest of the process. */
const PARSING_MS = 5;

/**
 * Holds back connections that bring more than can be parsed in one turn of the event loop: small header fields and trailers take
 * a hundred times as long as the bytes of a body, and fifty ready connections would otherwise be read back to back. One instance
 * per process, since all its connections share the event loop.
 */
export class ParsingTurns {
  readonly #held = new Set<Socket>();
  /** When the parsers began in this turn; null before they did. */
  #beganMs: number | null = null;

  /** @param nowMs a monotonic clock */
  constructor(private readonly nowMs = (): number => performance.now()) {}

  /** Whether the socket must wait; if so, it is told when it may be read. */
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

  /** Resumes sockets in order of arrival; those for which no time is left wait for the next turn. */
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
