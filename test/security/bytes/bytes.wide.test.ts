import { onSqlite } from '../../support/databases.js';
import { playCuts } from './cuts.js';
import { openHouse } from './house.js';
import { playSmuggling } from './smuggling.js';

onSqlite(async (t, engine) => {
  const house = await openHouse(await engine.openDb(t));
  t.teardown(() => house.close());
  t.strictSame((await playSmuggling(house)).faults, [], 'nothing is one request to us and another to somebody else');
  t.strictSame((await playCuts(house)).faults, [], 'a request in pieces is the same request, and a part is none');
  t.strictSame(house.logFaults, [], 'none of this is a fault of ours');
});
