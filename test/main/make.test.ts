import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

t.test('npm test and npm start call make', async (t) => {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  for (const [script, recipe] of [
    ['test', /run-tests\.js/],
    ['start', /agent-readiness-scan serve --demo/],
  ] as const) {
    const env = { PATH, HOME: t.testdir(), MAKEFLAGS: '--dry-run' };
    t.match(execFileSync('npm', [script], { cwd: PROJECT, env, encoding: 'utf8' }), recipe);
  }
});

t.test('make package installs no packages of development, and links both names for npx', async (t) => {
  const dryRun = ['--dry-run', '--always-make', 'package'];
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const recipe = execFileSync('make', dryRun, { cwd: PROJECT, env, encoding: 'utf8' });
  const installs = recipe.split('\n').filter((line) => line.includes('install.sh'));
  t.equal(installs.length, 1, recipe);
  t.match(installs[0], '--omit=dev');
  t.match(recipe, /^ln -sf \S+\/agent-readiness-scan \S+\/agent-readiness node_modules\/\.bin\/$/m);
});
