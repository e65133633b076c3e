import type { StartTimer } from '../../src/platform/clock.js';

/** Timers that the test fires. */
export class HeldTimers {
  readonly #actions = new Set<() => unknown>();

  readonly start: StartTimer = (action) => {
    const held = (): unknown => action();
    this.#actions.add(held);
    return () => this.#actions.delete(held);
  };

  get count(): number {
    return this.#actions.size;
  }

  fire(): void {
    void this.settle();
  }

  async settle(): Promise<void> {
    const actions = [...this.#actions];
    this.#actions.clear();
    await Promise.all(actions.map((action) => action()));
  }
}

/** Resolves once the condition holds. Checks it in every turn of the event loop. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
