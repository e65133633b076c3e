import { onEachDatabase } from '../../support/databases.js';
import { openHouse } from './house.js';
import { playCuts, playSmuggling } from './play.js';

onEachDatabase(async (t, engine) => {
  const house = await openHouse(t, await engine.openDb(t));
  t.strictSame(await playSmuggling(house, 40), [], 'no bytes are one request to us and two to another server');
  t.strictSame(await playCuts(house, 61), [], 'a request in pieces is one request, and a part is none');
  t.strictSame(house.logFaults(), [], 'nothing is logged as an error');
});
