import { AddressExchange } from '../../../src/app/limits/address-exchange.js';
import { ScanningProcesses } from '../../../src/app/limits/scanning-processes.js';
import { cleanUpScanning } from '../../../src/app/limits/scanning-statements.js';
import type { Database } from '../../../src/store/database.js';
import { TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { HeldTimers, until } from '../../support/held-timers.js';

function start(db: Database, clock: TestClock) {
  const timers = new HeldTimers();
  const table = new AddressExchange({ db, clock });
  return { timers, table, processes: new ScanningProcesses((own) => table.exchange(own), timers.start) };
}

onEachDatabase(async (t, engine) => {
  t.test('processes learn which addresses others use, and when they use them no more', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const [one, two] = [start(db, clock), start(db, clock)];
    one.processes.enter('192.0.2.1', () => undefined);
    one.processes.enter('192.0.2.2', () => undefined);
    await until(() => one.timers.count > 0);
    t.equal(one.processes.countAt('192.0.2.1'), 1, 'itself');
    two.processes.enter('192.0.2.1', () => undefined);
    await until(() => two.timers.count > 0);
    t.same(
      ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => two.processes.countAt(address)),
      [2, 2, 1],
    );
    one.timers.fire();
    await until(() => one.timers.count > 0);
    t.equal(one.processes.countAt('192.0.2.1'), 2, 'within a second the first knows too');
    one.processes.leave('192.0.2.1');
    one.processes.leave('192.0.2.2');
    one.timers.fire();
    two.processes.enter('192.0.2.4', () => undefined);
    await until(() => {
      two.timers.fire();
      return two.processes.countAt('192.0.2.1') === 1;
    });
    t.equal(one.timers.count, 0, 'one that scans nothing says so once');
  });

  t.test('an address is for one request at a time until the others were asked, whatever they said', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    let isAway = false;
    const failing = failWhen(
      db,
      () => isAway,
      () => new Error('away'),
    );
    const { processes } = start(failing, clock);
    const counted: string[] = [];
    const enter = (address: string) => processes.enter(address, () => counted.push(address));
    enter('192.0.2.1');
    t.equal(processes.countAt('192.0.2.1'), Infinity);
    await until(() => counted.length > 0);
    t.equal(processes.countAt('192.0.2.1'), 1);
    isAway = true;
    enter('192.0.2.2');
    enter('192.0.2.3');
    processes.leave('192.0.2.3');
    await until(() => counted.length > 1);
    t.same(counted, ['192.0.2.1', '192.0.2.2'], 'nobody is told of an address that was left');
    t.same(
      ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => processes.countAt(address)),
      [1, 1, 1],
    );
  });

  t.test('one that died counts a few seconds longer, and is cleared away', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const [dead, alive] = [start(db, clock), start(db, clock)];
    dead.processes.enter('192.0.2.1', () => undefined);
    await until(() => dead.timers.count > 0);
    clock.time = new Date(clock.time.getTime() + 6000);
    alive.processes.enter('192.0.2.1', () => undefined);
    await until(() => alive.timers.count > 0);
    t.equal(alive.processes.countAt('192.0.2.1'), 1);
    t.equal((await db.run(cleanUpScanning(clock.now()))).length, 1);
  });

  t.test('while the database is away, what was heard last holds', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const other = start(db, clock);
    other.processes.enter('192.0.2.1', () => undefined);
    await until(() => other.timers.count > 0);
    let isAway = false;
    const failing = failWhen(
      db,
      () => isAway,
      () => new Error('away'),
    );
    const one = start(failing, clock);
    one.processes.enter('192.0.2.1', () => undefined);
    await until(() => one.timers.count > 0);
    isAway = true;
    one.timers.fire();
    await until(() => one.timers.count > 0);
    t.equal(one.processes.countAt('192.0.2.1'), 2);
  });
});
