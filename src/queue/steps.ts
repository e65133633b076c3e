import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Work in short steps, each of which must be safe to repeat. */
export type Steps = AsyncGenerator<undefined, void>;

/** Runs steps one after the other for about `forMs`, yielding between them. @returns whether all steps are done */
export async function workOff(steps: AsyncGenerator, forMs: number): Promise<boolean> {
  const endMs = performance.now() + forMs;
  while (!(await steps.next()).done) {
    if (performance.now() > endMs) return false;
    // SQLite's statements are synchronous, so nothing else would run in between.
    await yieldToEventLoop();
  }
  return true;
}
