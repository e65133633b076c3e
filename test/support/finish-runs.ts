/**
 * A process that finishes runs until it is killed, several at once, and says each one that was acknowledged:
 * `finish-runs.ts <database> <accountId> <siteId,siteId> <key>`. A line is a site and a number.
 */
import { writeSync } from 'node:fs';
import { systemClock as clock } from '../../src/platform/clock.js';
import { openDatabase } from '../../src/store/open.js';
import { openServices } from './services.js';

const [url = '', accountId = '', siteIds = '', key = ''] = process.argv.slice(2);
const CALLERS_PER_SITE = 2;

const { access, runs } = openServices(await openDatabase(url), { clock });

const admit = () => access.admit(`Bearer ${key}`);

async function callForEver(siteId: string): Promise<never> {
  for (;;) {
    // Charged together.
    await Promise.all([admit(), admit()]);
    const { number } = await runs.start({ accountId, siteId, trigger: 'SCHEDULED' });
    // Written before the next step begins, so that the kill cannot come between.
    say(`${siteId} ${number}\n`);
  }
}

/** Waits where nobody has read the lines before: the process that comes next is not read until its turn. */
function say(line: string): void {
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

await Promise.all(
  siteIds.split(',').flatMap((siteId) => Array.from({ length: CALLERS_PER_SITE }, () => callForEver(siteId))),
);
