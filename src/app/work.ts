import type { JobHandler, QueueName } from '../queue/job.js';
import type { Steps } from '../queue/steps.js';
import type { DeliveryHandler } from './alerts/delivery-handler.js';
import type { ObserveLinkedEvents } from './audit/audit-chain.js';
import type { PlannerDeps } from './automation/schedule-planner.js';
import type { Housekeeping } from './data/housekeeping.js';
import type { ObserveBrokenChain } from './runs/chain.js';
import type { RunHandlerDeps } from './runs/run-handler.js';
import type { RecheckDeps } from './sites/ownership-recheck.js';

/** What background work is done with. */
export interface Work extends RunHandlerDeps, RecheckDeps, PlannerDeps, Housekeeping {
  readonly deliveryHandlers: Readonly<Record<'WEBHOOK' | 'MAIL', DeliveryHandler>>;
  /** Whether the operator has configured a mail server. */
  readonly hasMail: boolean;
  readonly accountMailHandler: JobHandler;
  readonly onBrokenChain: ObserveBrokenChain;
  readonly onLinkedEvents: ObserveLinkedEvents;
  /** Hears why the preview of a shared report was not drawn: for the log. */
  readonly onPreviewFailure?: (cause: unknown) => void;
}

/** By queue and kind of job, what performs it. */
export type Handlers = Readonly<Partial<Record<QueueName, Readonly<Record<string, JobHandler>>>>>;

/** Work that repeats for ever: the kind of its job, how long after its end it begins again, and the steps of one time. */
export type Upkeep = readonly [kind: string, everyMs: number, begin: () => Steps];
