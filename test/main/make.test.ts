import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT } from '../support/project.js';

function find(program: string): string {
  return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
}

t.test('make help lists at most ten targets, without a Node', async (t) => {
  const bin = join(t.testdir(), 'bin');
  mkdirSync(bin);
  for (const program of ['make', 'sh', 'awk']) symlinkSync(find(program), join(bin, program));
  const help = execFileSync('make', ['help'], { cwd: PROJECT, env: { PATH: bin }, encoding: 'utf8' });
  const lines = help.trimEnd().split('\n');
  t.ok(lines.length <= 10, help);
  for (const line of lines) t.match(line, /^make [a-z]+ +[A-Z]/);
  for (const target of ['run', 'test', 'check', 'dev', 'package']) t.match(help, new RegExp(`^make ${target} `, 'm'));
});
