/** Calls `action` after `delayMs`; the returned function cancels it. Tests supply their own. */
export type StartTimer = (action: () => void, delayMs: number) => () => void;

/** A timer that does not keep the process alive. */
export function startNodeTimer(action: () => void, delayMs: number): () => void {
  const timer = setTimeout(action, delayMs).unref();
  return () => {
    clearTimeout(timer);
  };
}
