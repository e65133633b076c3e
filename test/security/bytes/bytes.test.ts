import { onEachDatabase } from '../../support/databases.js';
import { playCuts } from './cuts.js';
import { openHouse } from './house.js';
import { playSmuggling } from './smuggling.js';

/** bytes.wide.test.ts cuts at each byte. */
onEachDatabase(async (t, engine) => {
  const house = await openHouse(await engine.openDb(t));
  t.teardown(() => house.close());
  t.strictSame(
    (await playSmuggling(house, 40)).faults,
    [],
    'nothing is one request to us and another to somebody else',
  );
  t.strictSame((await playCuts(house, 61)).faults, [], 'a request in pieces is the same request, and a part is none');
  t.strictSame(house.logFaults, [], 'none of this is a fault of ours');
});
