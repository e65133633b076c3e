import type { Clock } from '../../src/platform/clock.js';
import { Slots } from '../../src/platform/slots.js';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import type { Database } from '../../src/store/database.js';
import { createRecheckHandler, listRechecks, startRecheck } from '../../src/app/triage/rechecks.js';
import type { OwnSite } from '../../src/app/sites/site.js';
import { TestWorker } from './queue.js';

/** Rechecks with a worker that performs them at once. `settle` resolves when none is running; `performDue` performs those that waited. */
export function createRechecks(deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly scan: Scanner;
  readonly slots?: Slots;
  readonly onFailure?: (error: unknown) => void;
}) {
  const handler = createRecheckHandler({ slots: new Slots(20), onFailure: () => undefined, ...deps });
  const queue = { name: 'rechecks', concurrency: 10, handlers: { RECHECK: handler } } as const;
  const worker = new TestWorker([queue], deps).listen();
  return {
    start: (site: OwnSite, checkId: string) => startRecheck(deps, site, checkId),
    list: (site: OwnSite) => listRechecks(deps.db, site),
    settle: () => worker.settle(),
    performDue: () => worker.performDue(),
  };
}
