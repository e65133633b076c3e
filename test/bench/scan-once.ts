/** Scans one origin on loopback by our own scanner, `scan-once.ts <origin> <times>`, and says a line of JSON for each scan. */
import { systemClock } from '../../src/platform/clock.js';
import { createGuard } from '../../src/net/guard.js';
import { createScanners } from '../../src/scanner/scan/scanner.js';

const [origin = '', times = '1'] = process.argv.slice(2);
const { hostname: host, port } = new URL(origin);

const { scan: scanner } = createScanners({
  guard: createGuard({ allowEndpoints: [{ host, address: '127.0.0.1', port: Number(port) }] }),
  resolver: { resolveAddresses: () => Promise.reject(new Error('Only the site under test exists.')) },
  clock: systemClock,
});
for (let scan = 0; scan < Number(times); scan += 1) {
  const [beganMs, cpuBefore] = [performance.now(), process.cpuUsage()];
  const { score } = await scanner({ origin: new URL(origin), isOwnershipVerified: true });
  const { user, system } = process.cpuUsage(cpuBefore);
  console.log(JSON.stringify({ wallMs: performance.now() - beganMs, cpuMs: (user + system) / 1000, score }));
}
