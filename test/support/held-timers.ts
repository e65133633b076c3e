import type { StartTimer } from '../../src/platform/timer.js';

/** Timers that go off when a test says so. */
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

  /** The one that was started last. */
  fireLast(): void {
    const last = [...this.#actions].at(-1);
    if (last === undefined) throw new Error('no timer is held');
    this.#actions.delete(last);
    last();
  }

  fire(): void {
    const actions = [...this.#actions];
    this.#actions.clear();
    for (const action of actions) action();
  }

  /** Fires all, and waits for what they do. */
  async settle(): Promise<void> {
    const actions = [...this.#actions];
    this.#actions.clear();
    await Promise.all(actions.map((action) => action()));
  }
}

/** Resolves once it is so; it is looked at whenever the event loop turns. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
