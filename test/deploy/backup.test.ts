import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT } from '../support/project.js';

/** Runs deploy/backup.sh once, with stand-ins for PostgreSQL's programs that come first on the PATH. */
function backUp(folder: string, programs: { readonly dump: string; readonly restore: string }): number | null {
  for (const [name, script] of [
    ['pg_dump', programs.dump],
    ['pg_restore', programs.restore],
  ] as const) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const environment = {
    PATH: `${folder}/bin:${process.env.PATH}`,
    BACKUP_FOLDER: `${folder}/dumps`,
    BACKUP_DAYS: '14',
  };
  return spawnSync('sh', [join(PROJECT, 'deploy/backup.sh'), '--once'], { env: environment }).status;
}

/** Writes to the file that --file names. */
const DUMPS = 'for one; do case "$one" in --file=*) echo whole > "${one#--file=}" ;; esac; done';

t.test('a dump has its name once it is whole, and old ones go', async (t) => {
  const folder = t.testdir({
    bin: {},
    dumps: { 'notes.txt': 'kept', 'agent-readiness-old.dump': 'old', 'x.partial': 'cut' },
  });
  const longAgo = new Date(Date.now() - 20 * 86_400_000);
  utimesSync(join(folder, 'dumps/agent-readiness-old.dump'), longAgo, longAgo);
  utimesSync(join(folder, 'dumps/notes.txt'), longAgo, longAgo);
  t.equal(backUp(folder, { dump: DUMPS, restore: 'grep -q whole "$2"' }), 0);
  const [dump = '', ...others] = readdirSync(join(folder, 'dumps')).sort();
  t.match(dump, /^agent-readiness-\d{4}-\d\d-\d\dT\d{6}Z\.dump$/);
  t.same(others, ['notes.txt']);
  t.equal(readFileSync(join(folder, 'dumps', dump), 'utf8'), 'whole\n');
  t.equal(statSync(join(folder, 'dumps', dump)).mode & 0o777, 0o600, 'its owner alone can read it');
});

t.test('a dump that failed, or cannot be read, leaves the others and nothing else', async (t) => {
  const cases = [
    { dump: `${DUMPS}; exit 1`, restore: 'exit 0' },
    { dump: DUMPS, restore: 'exit 1' },
  ];
  for (const programs of cases) {
    const folder = t.testdir({ bin: {}, dumps: { 'agent-readiness-old.dump': 'old' } });
    const longAgo = new Date(Date.now() - 20 * 86_400_000);
    utimesSync(join(folder, 'dumps/agent-readiness-old.dump'), longAgo, longAgo);
    t.equal(backUp(folder, programs), 1);
    t.same(readdirSync(join(folder, 'dumps')), ['agent-readiness-old.dump']);
  }
});
