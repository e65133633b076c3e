import { Refusal } from './errors.js';
import type { Lifecycle } from './lifecycle.js';

/** Whether the process can work now. */
export interface Readiness {
  /** Why it cannot, in fixed words; null when it can. */
  whyNotReady(): Promise<string | null>;
}

/** Load balancers give up quickly: a database that takes longer than this counts as not ready. */
const READINESS_TIMEOUT_MS = 2_000;

export const SILENT_DATABASE = 'the database does not answer';

/** @throws Refusal overloaded that says why the process cannot work now, or that it is about to stop */
export async function assertReady(readiness: Readiness, lifecycle: Lifecycle): Promise<void> {
  if (lifecycle.isStopping) throw notReady('the process is stopping');
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, READINESS_TIMEOUT_MS, SILENT_DATABASE);
  });
  try {
    const reason = await Promise.race([readiness.whyNotReady(), tooLate]);
    if (reason !== null) throw notReady(reason);
  } catch (cause) {
    throw cause instanceof Refusal ? cause : notReady('it cannot be told', cause);
  } finally {
    clearTimeout(timer);
  }
}

function notReady(reason: string, cause?: unknown): Refusal {
  return new Refusal(503, 'overloaded', `The service is not ready: ${reason}.`, { cause: cause ?? new Error(reason) });
}
