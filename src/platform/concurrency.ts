import { setImmediate } from 'node:timers/promises';

/** Background work for which shutdown waits. */
export class Pending {
  readonly #work = new Set<Promise<void>>();

  /** @param work handles its own failures */
  add(work: Promise<void>): void {
    const pending = work.finally(() => this.#work.delete(pending));
    this.#work.add(pending);
  }

  /** Resolves when all work has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#work);
  }
}

/** Works on the items, at most `atOnce` at a time. Rejects with the first failure; running work then continues. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const workNext = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, workNext));
}

/** Lets other work run between the short steps of long work. May throw to stop it, so each step must be safe to repeat. */
export type Pause = () => Promise<void>;

/** SQLite's statements are synchronous, so nothing else would run in between. */
export const yieldToEventLoop: Pause = () => setImmediate();

/** Thrown when work exceeds its time limit. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** Returns a pause that throws OutOfTime after `forMs`. */
export function pauseFor(forMs: number): Pause {
  const endMs = performance.now() + forMs;
  return async () => {
    if (performance.now() > endMs) throw new OutOfTime();
    await yieldToEventLoop();
  };
}
