import { seedSites } from '../../support/many-sites.js';
import { onEitherDatabase } from '../../support/databases.js';
import { changeDatabase } from '../../support/changed-database.js';
import { startWeb } from '../../support/web.js';

/** Rows that one statement of an export reads at most. */
const ROWS_MAX = 200;

onEitherDatabase(async (t, engine) => {
  const prepare = async (t: Parameters<typeof engine.openDb>[0]) => {
    const db = await engine.openDb(t);
    const read = { rows: [] as number[], bytes: 0 };
    const counted = changeDatabase(db, {
      async run(query) {
        const rows = await db.run(query);
        read.rows.push(rows.length);
        read.bytes = Math.max(read.bytes, JSON.stringify(rows).length);
        return rows;
      },
    });
    const web = await startWeb(t, counted);
    return { db, web, read, member: await web.newMember() };
  };

  t.test('the table of sites is read some sites at a time, by address, whatever the order of the list', async (t) => {
    const { db, member, read } = await prepare(t);
    const sites = Array.from({ length: 350 }, (_, index) => ({
      hostname: `s${String(index).padStart(3, '0')}.example.com`,
      runs: index % 3 === 0 ? ['f', ''] : [],
    }));
    await seedSites(db, member.account.id, sites.toReversed());
    read.rows.length = 0;
    read.bytes = 0;
    const { text } = await member.get('/sites.csv?sort=-score');
    const names = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => /^"([^"]*)"/.exec(line)?.[1]);
    t.same(
      names,
      sites.map(({ hostname }) => hostname),
    );
    t.ok(Math.max(...read.rows) <= ROWS_MAX, `${Math.max(...read.rows)} rows`);
    t.ok(read.bytes < 100_000, `${read.bytes} bytes, less than all sites in one text`);
    const better = await member.get('/sites.csv?show=clean');
    t.equal(better.text.split('\r\n').length, 2 + Math.ceil(350 / 3), 'filtered as the list is');
  });

  t.test('the table of runs is read some runs at a time, from the first run on', async (t) => {
    const { db, member, read } = await prepare(t);
    const runs = Array.from({ length: 450 }, (_, index) => (index % 2 === 0 ? 'f' : ''));
    const [id = ''] = await seedSites(db, member.account.id, [{ hostname: 'shop.example.com', runs }]);
    read.rows.length = 0;
    const { text } = await member.get(`/sites/${id}/runs.csv`);
    const numbers = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[0]));
    t.same(
      numbers,
      runs.map((_, index) => index + 1),
    );
    t.ok(Math.max(...read.rows) <= ROWS_MAX, `${Math.max(...read.rows)} rows`);
  });
});
