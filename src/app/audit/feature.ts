import type { Feature } from '../feature.js';
import { LINK_EVENTS_EVERY_MS, sweepEvents } from './audit-chain.js';
import { deleteSomeOf } from '../kept.js';
import { eventLines } from './audit.js';
import { cleanUpEarlierEvents, cleanUpEvents, deleteSomeEventsOf } from './audit-statements.js';

export const audit = {
  tables: ['audit_events', 'audit_log', 'audit_tallies', 'audit_unlinked', 'audit_chain'],
  eraseAccount: [
    deleteSomeOf('audit_tallies', 'account_id'),
    deleteSomeOf('audit_events', 'account_id'),
    deleteSomeEventsOf,
  ],
  cleanUps: [cleanUpEvents],
  // The database refuses it where the clock of the service is more than a day ahead of its own.
  lastCleanUps: [cleanUpEarlierEvents],
  lines: { event: eventLines },
  upkeep: ({ db, clock, onLinkedEvents }) => [
    ['EVENTS', LINK_EVENTS_EVERY_MS, () => sweepEvents(db, clock, onLinkedEvents)],
  ],
} satisfies Feature;
