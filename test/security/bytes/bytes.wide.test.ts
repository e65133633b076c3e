import { onSqlite } from '../../support/databases.js';
import { openHouse } from './house.js';
import { playCuts, playSmuggling } from './play.js';

onSqlite(async (t, engine) => {
  const house = await openHouse(t, await engine.openDb(t));
  t.strictSame([...(await playSmuggling(house)), ...(await playCuts(house))], [], 'cut at each byte');
  t.strictSame(house.logFaults(), [], 'nothing is logged as an error');
});
