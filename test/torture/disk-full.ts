/**
 * `make torture TORTURE=disk-full`: finishes runs on a disk that is full, and then has room again. By a limit on the size of files
 * where there is `prlimit`, and as root by a file system of 4 MB too.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createAccess } from '../../src/app/keys/access.js';
import { unpackBody } from '../../src/app/runs/run-bodies.js';
import { ServiceError } from '../../src/platform/errors.js';
import { createRunPerformer } from '../../src/app/runs/run-performer.js';
import { createRuns } from '../../src/app/runs/runs.js';
import { Slots } from '../../src/platform/slots.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/open-database.js';
import { addAccount, addKey, addSite, scanReport, TestClock } from '../support/accounts.js';
import { openScope } from '../support/script.js';

interface Disk {
  readonly name: string;
  fill(folder: string): void;
  makeRoom(folder: string): void;
}

const REFUSED_COUNT = 200;
const AFTER_COUNT = 50;

function limitFiles(bytes: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
}

const DISKS: readonly Disk[] = [
  { name: 'limit on files', fill: () => limitFiles('1000000'), makeRoom: () => limitFiles('unlimited') },
  {
    name: 'file system of 4 MB',
    fill: (folder) => {
      for (let size = 1_000_000; size >= 4096; size = Math.floor(size / 2)) {
        for (let count = 0; ; count += 1) {
          try {
            writeFileSync(join(folder, `ballast-${size}-${count}`), Buffer.alloc(size));
          } catch {
            break;
          }
        }
      }
    },
    makeRoom: (folder) => execFileSync('sh', ['-c', `rm ${folder}/ballast-*`]),
  },
];

function canUse(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @returns what was not as it must be */
async function prove(disk: Disk, folder: string): Promise<string[]> {
  const file = join(folder, 'service.db');
  const url = `sqlite:${file}`;
  await migrateDatabase(url);
  const db = await openDatabase(url);
  const clock = new TestClock();
  const { id: accountId } = await addAccount(db);
  const { id: siteId } = await addSite(db, accountId);
  const access = createAccess({ db, clock });
  const authorization = `Bearer ${await addKey(db, accountId)}`;
  const performRun = createRunPerformer({ db, clock, scan: async () => scanReport(), slots: new Slots(1) });
  const runs = createRuns({ db, clock, performRun });
  const problems: string[] = [];
  const acknowledged = new Map<number, Buffer>();
  let refused = 0;
  const start = async (): Promise<void> => {
    try {
      const { number, body } = await runs.start({ accountId, siteId, trigger: 'SCHEDULED' });
      acknowledged.set(number, Buffer.from(body));
    } catch (error) {
      refused += 1;
      if (!(error instanceof ServiceError && error.code === 'overloaded'))
        problems.push(`a run ended in ${String(error)}`);
    }
  };
  await start();
  disk.fill(folder);
  let admitted = 0;
  for (let tries = 0; refused < REFUSED_COUNT && tries < 20_000; tries += 1) {
    await start();
    if (refused === 0) continue;
    await access.admit(authorization).then(
      () => (admitted += 1),
      (error: unknown) => {
        if (!(error instanceof ServiceError && error.code === 'overloaded'))
          problems.push(`a request ended in ${String(error)}`);
      },
    );
  }
  const beforeRoom = acknowledged.size;
  if (refused < REFUSED_COUNT) problems.push('it was never full');
  disk.makeRoom(folder);
  const after = await access.admit(authorization);
  if (after.rateLimit.remaining !== after.rateLimit.limit - admitted - 1)
    problems.push(`${admitted} requests were admitted while it was full, and ${after.rateLimit.remaining} are left`);
  refused = 0;
  for (let count = 0; count < AFTER_COUNT; count += 1) await start();
  if (refused > 0) problems.push(`${refused} runs refused although there was room again`);
  const stored = new Sqlite(file);
  const rows = stored
    .prepare<[], { number: number; body: Buffer }>('SELECT number, body FROM runs ORDER BY number')
    .all()
    .map(({ number, body }) => ({ number, body: unpackBody(body) }));
  await db.close();
  if (rows.some(({ number }, index) => number !== index + 1)) problems.push('the numbers have a gap');
  const lost = [...acknowledged].filter(([number, body]) => !rows[number - 1]?.body.equals(body));
  if (lost.length > 0) problems.push(`${lost.length} acknowledged runs are lost`);
  const integrity: unknown = stored.pragma('integrity_check', { simple: true });
  if (integrity !== 'ok') problems.push(String(integrity));
  stored.close();
  const figures = `${beforeRoom} runs until full, ${REFUSED_COUNT} refused, ${admitted} requests admitted meanwhile, ${AFTER_COUNT} after`;
  console.log(
    `${disk.name}: ${figures}; ${acknowledged.size} acknowledged, ${rows.length} stored, ${lost.length} lost, integrity ${String(integrity)}`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  return problems;
}

const scope = openScope();
const folder = scope.testdir();
const problems: string[] = [];
const [limited, small] = DISKS;
try {
  if (limited && canUse('prlimit')) problems.push(...(await prove(limited, folder)));
  else console.log('there is no prlimit here: not tried');
  const mounted = join(folder, 'small');
  mkdirSync(mounted);
  if (small && process.getuid?.() === 0 && canUse('mount')) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', mounted]);
    try {
      problems.push(...(await prove(small, mounted)));
    } finally {
      execFileSync('umount', [mounted]);
    }
  } else console.log('a small file system takes root: not tried');
} finally {
  await scope.end();
}
process.exitCode = problems.length === 0 ? 0 : 1;
