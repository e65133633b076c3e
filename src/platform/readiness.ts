import { ServiceError } from './errors.js';
import type { Lifecycle } from './lifecycle.js';

/** Whether the process can work now: its database answers with the current schema, and queued work is performed. */
export interface Readiness {
  /** Rejects or resolves false when the process cannot work. */
  isReady(): Promise<boolean>;
}

/** Load balancers give up quickly: a database that takes longer than this counts as not ready. */
const READINESS_TIMEOUT_MS = 2_000;

/** @throws ServiceError overloaded, with the reason as its cause, when the process cannot work now or is about to stop */
export async function assertReady(readiness: Readiness, lifecycle: Lifecycle): Promise<void> {
  if (lifecycle.isStopping) throw notReady(new Error('the process is stopping'));
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READINESS_TIMEOUT_MS);
  });
  try {
    if (!(await Promise.race([readiness.isReady(), tooLate])))
      throw new Error('the database, its schema or the queue is not ready');
  } catch (cause) {
    throw notReady(cause);
  } finally {
    clearTimeout(timer);
  }
}

function notReady(cause: unknown): ServiceError {
  return new ServiceError('overloaded', { cause });
}
