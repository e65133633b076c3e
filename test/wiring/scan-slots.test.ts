import t from 'tap';
import { FREE_SCANS } from '../../src/app/free-scan/free-scan-places.js';
import { ROLES } from '../../src/platform/role.js';
import { createScanSlots } from '../../src/wiring/scan-slots.js';

t.test('slots are kept for free scans where they are performed', async (t) => {
  const accounts = Array.from({ length: 16 }, (_, index) => `account ${index}`);
  for (const role of ROLES) {
    const slots = createScanSlots(role, 16);
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    const work = accounts.map((account) => slots.run(() => held, account));
    t.equal(slots.occupancy().running, role === 'worker' ? 16 : 14, role);
    if (role !== 'worker') {
      work.push(slots.run(() => held, FREE_SCANS));
      t.equal(slots.occupancy().running, 15, `${role}: a free scan finds room`);
    }
    end();
    await Promise.all(work);
  }
});
