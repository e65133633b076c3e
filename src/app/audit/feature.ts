import type { Feature } from '../feature.js';
import { LINK_EVENTS_EVERY_MS, sweepEvents } from './audit-chain.js';
import { deleteSomeOfAccount } from '../kept.js';
import { eventLines } from './audit.js';
import { cleanUpEarlierEvents, cleanUpEvents, deleteSomeEventsOf } from './audit-statements.js';

export const audit = {
  tables: ['audit_events', 'audit_log', 'audit_tallies', 'audit_unlinked', 'audit_chain'],
  eraseAccount: [deleteSomeOfAccount('audit_tallies'), deleteSomeOfAccount('audit_events'), deleteSomeEventsOf],
  cleanUps: [cleanUpEvents],
  // The database refuses it where the clock of the service is more than a day ahead of its own.
  lastCleanUps: [cleanUpEarlierEvents],
  lines: { event: eventLines },
  upkeep: ({ db, clock, onLinkedEvents }) => [
    ['EVENTS', LINK_EVENTS_EVERY_MS, () => sweepEvents(db, clock, onLinkedEvents)],
  ],
} satisfies Feature;
