import { EventEmitter } from 'node:events';
import { afterCommit, type Hook, type Transaction } from '../store/transaction.js';
import type { QueueName } from './job.js';

/** Hears of the queues that got a job by this process, each by the address of its database. */
export const added = new EventEmitter().setMaxListeners(0);

const hookOf =
  (queue: QueueName): Hook =>
  ({ url }) =>
    void added.emit(url, queue);

const HOOKS: Readonly<Record<QueueName, Hook>> = {
  runs: hookOf('runs'),
  deliveries: hookOf('deliveries'),
  notices: hookOf('notices'),
  previews: hookOf('previews'),
  'account-mails': hookOf('account-mails'),
  messages: hookOf('messages'),
  upkeep: hookOf('upkeep'),
};

/** Part of a transaction that adds jobs: once it has committed, workers hear of them. */
export function announceJobs(queue: QueueName): Transaction<void> {
  return afterCommit(HOOKS[queue]);
}
