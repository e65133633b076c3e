import type { Feature } from '../feature.js';
import { deleteSomeOfAccount, untilNone } from '../kept.js';
import { deliveryLines, webhookLines } from './alert-export.js';
import {
  deleteSomeDeliveriesOfSite,
  deleteWaitingOfAccount,
  deleteWaitingOfMarkedSites,
} from './delivery-removal-statements.js';
import { cleanUpDeliveries } from './delivery-statements.js';

export const alerts: Feature = {
  tables: ['webhooks', 'deliveries', 'alert_states'],
  // Whoever delivers holds the job first, then the message; so do these, since the jobs went with the schedules.
  closeSites: [deleteWaitingOfMarkedSites],
  closeAccount: [deleteWaitingOfAccount],
  eraseSite: (db, { id }) => untilNone(db, deleteSomeDeliveriesOfSite({ site_id: id })),
  eraseAccount: [deleteSomeOfAccount('deliveries')],
  cleanUps: [cleanUpDeliveries],
  lines: { webhook: webhookLines, delivery: deliveryLines },
};
