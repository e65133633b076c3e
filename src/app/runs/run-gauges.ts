import type { StoredGauge } from '../gauge.js';
import { QUEUED_TRIGGERS } from './run.js';

export const queued_runs: StoredGauge = {
  help: 'Queued runs by what started them: "waiting", due or not yet, or "running".',
  labels: ['trigger', 'state'],
  read: ({ depths }) =>
    QUEUED_TRIGGERS.flatMap((trigger) => {
      const { waiting = 0, retrying = 0, running = 0 } = depths.find(({ kind }) => kind === trigger) ?? {};
      return [
        { labels: { trigger, state: 'waiting' }, value: waiting + retrying },
        { labels: { trigger, state: 'running' }, value: running },
      ];
    }),
};

export const queue_oldest_due_seconds: StoredGauge = {
  help: 'How long the oldest queued run that is due has been waiting.',
  labels: ['trigger'],
  read: ({ depths, now }) =>
    QUEUED_TRIGGERS.map((trigger) => {
      const oldest = depths.find(({ kind }) => kind === trigger)?.oldest_due ?? null;
      return { labels: { trigger }, value: oldest === null ? 0 : (now.getTime() - Date.parse(oldest)) / 1000 };
    }),
};
