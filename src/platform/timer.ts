/** Calls `action` after `delayMs`; the function that comes back takes the call back. Tests bring their own. */
export type StartTimer = (action: () => void, delayMs: number) => () => void;

/** A timer that does not hold the process up. */
export function startNodeTimer(action: () => void, delayMs: number): () => void {
  const timer = setTimeout(action, delayMs).unref();
  return () => {
    clearTimeout(timer);
  };
}
