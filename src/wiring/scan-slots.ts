import { FREE_SCANS } from '../app/free-scan/free-scan-places.js';
import type { Role } from '../platform/role.js';
import { Slots } from '../platform/slots.js';

/** Of so many slots for scans, one is kept for free scans: all others may be taken by accounts. */
const FREE_SHARE = 8;

/** The slots that all scans of a process share. A worker keeps none for free scans, since it performs none. */
export function createScanSlots(role: Role, scanConcurrency: number): Slots {
  if (role === 'worker') return new Slots(scanConcurrency);
  const kept = { party: FREE_SCANS, places: Math.floor(scanConcurrency / FREE_SHARE) };
  return new Slots(scanConcurrency, { kept });
}
