import t from 'tap';
import { type Demo, describeDemo } from '../../../src/wiring/demo.js';

const site = { id: 'site_a', origin: 'http://localhost:3000' };
const ADDRESSES = { publicUrl: site.origin, port: 3000, signInUrl: `${site.origin}/sign-in/a` };

function describe(shop: Demo['shop']): string {
  const run = { number: 1, reference: 'CR-000001', score: 100 };
  return describeDemo({ own: { ...site, run }, shop, key: 'ars_a' }, ADDRESSES);
}

t.test('only a start that has runs to make announces them', async (t) => {
  const shopOf = (latestNumber: number) => describe({ id: 'site_b', origin: 'http://localhost:3001', latestNumber });
  for (const latestNumber of [0, 5]) t.match(shopOf(latestNumber), 'its first 6 runs take a few seconds');
  for (const latestNumber of [6, 20]) {
    t.match(shopOf(latestNumber), new RegExp(`faults: ${latestNumber} runs$`, 'm'));
    t.notMatch(shopOf(latestNumber), 'a few seconds');
  }
});

t.test('without a shop the line names the busy port, and the command that uses others', async (t) => {
  t.match(describe(null), /port 3001, which is in use; .*PORT=4000 make run/);
});
