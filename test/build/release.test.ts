import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { nameRelease } from '../../src/build/release.js';
import { PROJECT } from '../support/project.js';

t.test('the commit of a checkout is found, and whether the source was changed since', async (t) => {
  const project = join(t.testdir(), 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const git = (...args: string[]) => run('git', '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args);
  const commitOf = (folder = project) => run('sh', join(PROJECT, 'src/build/commit.sh'), folder);
  t.equal(commitOf(), '', 'an archive knows no commit');
  git('init', '--quiet');
  t.equal(commitOf(), '', 'no commit yet');
  writeFileSync(join(project, 'src/a.ts'), '1');
  git('add', '.');
  git('commit', '--quiet', '--message', 'x');
  const commit = git('rev-parse', 'HEAD').slice(0, 7);
  t.equal(commitOf(), `${commit}\n`);
  writeFileSync(join(project, 'notes.txt'), 'no part of a build');
  t.equal(commitOf(), `${commit}\n`);
  writeFileSync(join(project, 'src/b.ts'), '2');
  t.equal(commitOf(), `${commit}-dirty\n`);
  const inner = join(project, 'inner');
  mkdirSync(inner);
  t.equal(commitOf(inner), '', 'the repository around it is another one');
});

t.test('a build is named by its version and its commit', async (t) => {
  t.equal(nameRelease('1.2.3', ''), '1.2.3');
  t.equal(nameRelease('1.2.3', 'ef4d409'), '1.2.3+ef4d409');
  t.equal(nameRelease('1.2.3', 'ef4d409-dirty'), '1.2.3+ef4d409-dirty');
  t.equal(nameRelease('1.2.3', `1e55ffe${'0'.repeat(33)}`), '1.2.3+1e55ffe');
  for (const odd of ['main', 'ef4d40', 'EF4D409', 'ef4d409; x', 'ef4d409-']) {
    t.throws(() => nameRelease('1.2.3', odd), /is not a commit: set BUILD_COMMIT/, odd);
  }
});
