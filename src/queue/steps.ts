import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Work in short steps, each of which may be done twice. */
export type Steps = AsyncGenerator<undefined, void>;

/** Does one step after the other for about `forMs`, with room for others in between. @returns whether that was all of them */
export async function workOff(steps: AsyncGenerator, forMs: number): Promise<boolean> {
  const endMs = performance.now() + forMs;
  while (!(await steps.next()).done) {
    if (performance.now() > endMs) return false;
    // SQLite's statements do not wait for anything, so nothing else would run in between.
    await yieldToEventLoop();
  }
  return true;
}
