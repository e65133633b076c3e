/** What a process does: everything; only answer requests; or only perform queued work. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Resolves with the name of the first stop signal. A second one ends the process at once, as it does without a handler, so that
 * an impatient operator does not have to wait.
 */
export function nextStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}
