import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { RECIPES } from './recipes.js';
import { shell } from './tools.js';

/** Those without others' tools, and this one. */
const OTHERS = ['page.test.js', 'skips.test.js'];

t.test('where nothing is installed, every test is skipped, and says what it lacks', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'nothing-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  symlinkSync((await shell('command -v sh', { cwd: folder, env: process.env })).trim(), join(folder, 'sh'));
  const env = { ...process.env, PATH: folder };
  const lacking = new Set<string>();
  for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.js'))) {
    if (OTHERS.includes(file)) continue;
    const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, file)], { env });
    const tests = stdout.split('\n').filter((line) => /ok \d+ - a client #/.test(line));
    t.ok(tests.length > 0, file);
    for (const test of tests) {
      const [, needs = ''] = /# SKIP not here: (.+)/.exec(test) ?? [];
      t.not(needs, '', `${file}: ${test}`);
      lacking.add(needs);
    }
  }
  for (const { heading, needs } of Object.values(RECIPES)) t.ok(lacking.has(needs), heading);
});
