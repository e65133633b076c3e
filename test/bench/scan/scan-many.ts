/**
 * Scans origins on loopback by our own scanner, `scan-many.ts <origin,origin,…> <scans> <at once>`, and says as a line of JSON how
 * long that takes the second time, when it is warm: without a service around it, the ceiling of one.
 */
import { parseCidr } from '../../../src/net/address.js';
import { createGuard } from '../../../src/net/guard.js';
import { createScanner } from '../../../src/scanner/scan/scanner.js';

const [origins = '', scans = '1', atOnce = '1'] = process.argv.slice(2);
const urls = origins.split(',').map((origin) => new URL(origin));
const loopback = parseCidr('127.0.0.0/8');

const scanner = createScanner({
  guard: createGuard({ allowCidrs: loopback ? [loopback] : [], allowPorts: urls.map(({ port }) => Number(port)) }),
  resolver: { resolveAddresses: () => Promise.reject(new Error('Only the site under test exists.')) },
  clock: { now: () => new Date() },
});
async function scanAll(): Promise<void> {
  let next = 0;
  const scanOn = async (): Promise<void> => {
    while (next < Number(scans)) {
      const origin = urls[next % urls.length];
      next += 1;
      if (origin) await scanner({ origin, isOwnershipVerified: true });
    }
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, scanOn));
}
await scanAll();
const [beganMs, cpuBefore] = [performance.now(), process.cpuUsage()];
await scanAll();
const { user, system } = process.cpuUsage(cpuBefore);
const wallMs = performance.now() - beganMs;
process.stdout.write(`${JSON.stringify({ wallMs, cpuMs: (user + system) / 1000 })}\n`);
