/** Whether the process still takes on work. The server's close sets it; readiness, new runs and keep-alive look at it. */
export class Lifecycle {
  #isStopping = false;

  get isStopping(): boolean {
    return this.#isStopping;
  }

  stop(): void {
    this.#isStopping = true;
  }
}

/**
 * Resolves with the name of the first signal that asks the process to stop. A second one ends it at once, as it would
 * without us, so that an impatient operator is not held up.
 */
export function nextStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}
