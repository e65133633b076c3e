import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { BUILD } from '../support/project.js';

const PROGRAM = fileURLToPath(new URL('src/build/build.js', BUILD));
/** Node runs the program as it is, so that its imports name the source: here they are the compiled modules alongside it. */
const HOOKS = `
import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) => next(name.replace(/^(\\.\\/.*)\\.ts$/, '$1.js'), context) });
`;
const OPTIONS = ['--disable-warning=ExperimentalWarning', `--import=data:text/javascript,${encodeURIComponent(HOOKS)}`];
const GENERATE = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { text } from '../text.js';
const folder = new URL('../../generated/', import.meta.url);
mkdirSync(folder);
if (text === 'refused') throw Object.assign(new Error('spec/a.tsp:1:1 - error'), { name: 'SpecError' });
if (text === 'broken') throw new TypeError('a fault of ours');
writeFileSync(new URL('made.txt', folder), text);
`;
const FILES = {
  'package.json': '{ "version": "1.2.3", "type": "module" }',
  'package-lock.json': '{}',
  'docs/accuracy.md': '# Accuracy',
  'tspconfig.yaml': '',
  'spec/main.tsp': '',
  'src/text.ts': "export const text: string = 'one';",
  'src/main.ts': "import { text } from './text.js'; console.log(text, (await import('./deep/lazy.js')).place);",
  'src/deep/lazy.ts': "export const place = new URL('lazy.txt', import.meta.url).pathname;",
  'src/build/generate.ts': GENERATE,
  'src/types.d.ts': 'type Nothing = undefined;',
  'src/web/assets/style.css': "@import './style/p.css';",
  'src/web/assets/style/p.css': 'p { color: red }',
  'test/a.test.tsx': "export const text: string = 'a test';",
  'test/clients/package.json': '{}',
  'test/clients/node_modules/other/index.ts': 'export {};',
  'generated/made.txt': 'zero',
  'generated/old.txt': 'made no longer',
};

class Project {
  readonly folder: string;

  constructor(t: Test) {
    this.folder = t.testdir();
    for (const [path, text] of Object.entries(FILES)) this.write(path, text);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  read(...path: readonly string[]): string {
    return readFileSync(join(this.folder, ...path), 'utf8');
  }

  has(...path: readonly string[]): boolean {
    return existsSync(join(this.folder, ...path));
  }

  list(folder: string): string[] {
    return readdirSync(join(this.folder, folder)).sort();
  }

  run(...args: readonly string[]) {
    return spawnSync(process.execPath, [...OPTIONS, PROGRAM, ...args], { cwd: this.folder, encoding: 'utf8' });
  }

  /** Builds the project. @returns the folder of the build */
  build(...args: readonly string[]): string {
    const { status, stderr } = this.run(...args);
    if (status !== 0) throw new Error(stderr);
    const id = this.read('dist', args.includes('--tests') ? 'current-tests' : 'current');
    if (!id.endsWith('\n')) throw new Error('the pointer is a line');
    return join('dist', id.trim());
  }
}

t.test('a build is one bundle; generated files are in the project and in the build', async (t) => {
  const project = new Project(t);
  const build = project.build('--generate', '--commit=ef4d409');
  t.same(
    project.list('dist'),
    [build.slice('dist/'.length), 'current', 'generated-from'].sort(),
    'nothing half made is left',
  );
  t.match(build, /^dist\/[\da-f]{16}$/);
  const { stdout } = spawnSync(process.execPath, [join(project.folder, build, 'src/main.js')], { encoding: 'utf8' });
  t.equal(stdout, `one ${pathToFileURL(join(realpathSync(project.folder), build, 'src/deep/lazy.txt')).pathname}\n`);
  t.ok(project.has(build, 'src/main.js.map') && project.has(build, 'src/web/assets/style.css'));
  t.notOk(project.has(build, 'test') || project.has(build, 'src/text.js'));
  t.equal(project.read(build, 'generated/made.txt'), 'one');
  t.strictSame(JSON.parse(project.read(build, 'package.json')), { version: '1.2.3+ef4d409', type: 'module' });
  t.same(project.list('generated'), ['made.txt'], 'what is made no longer goes');
  t.equal(project.read('generated/made.txt'), 'one');
  project.write('src/text.ts', "export const text = 'two';");
  project.build('--generate');
  t.equal(project.read('generated/made.txt'), 'two');
});

t.test(
  'the build for the tests takes generated files as they are, and the packages of the folders that have their own',
  async (t) => {
    const project = new Project(t);
    const build = project.build('--tests');
    t.match(build, /^dist\/tests-[\da-f]{16}$/);
    t.match(project.read(build, 'test/a.test.js'), 'a test');
    t.ok(project.has(build, 'src/text.js') && project.has(build, 'shipped/src/main.js'));
    t.equal(project.read(build, 'generated/made.txt'), 'zero');
    t.same(project.list('generated'), ['made.txt', 'old.txt']);
    t.match(JSON.parse(project.read(build, 'package.json')), { version: /^1\.2\.3$/ });
    t.notOk(project.has(build, 'test/clients/node_modules/other/index.js'), "others' source is not compiled");
    const link = join(project.folder, build, 'test/clients/node_modules');
    t.equal(join(dirname(link), readlinkSync(link)), join(project.folder, 'test/clients/node_modules'));
  },
);

t.test('a build is made again only if an input changes', async (t) => {
  const project = new Project(t);
  for (const [args, changes] of [
    [[], { 'test/a.test.tsx': '', 'notes.md': 'x' }],
    [['--tests'], { 'notes.md': 'y', 'test/clients/node_modules/other/index.ts': '' }],
  ] as const) {
    const build = project.build(...args);
    project.write(join(build, 'mark'), '');
    for (const [path, text] of Object.entries(changes)) project.write(path, text);
    t.equal(project.build(...args), build, args.join());
    t.ok(project.has(build, 'mark'), 'and is not touched');
  }
  const inputs = [
    'package.json',
    'package-lock.json',
    'tspconfig.yaml',
    'spec/main.tsp',
    'src/text.ts',
    'spec/new.tsp',
    'generated/made.txt',
  ];
  for (const [args, paths] of [
    [[], inputs],
    [['--tests'], [...inputs, 'test/a.test.tsx']],
  ] as const) {
    for (const path of paths) {
      const before = project.build(...args);
      project.write(path, `${project.has(path) ? project.read(path) : ''} `);
      t.not(project.build(...args), before, `${path} ${args.join()}`);
    }
  }
  t.not(project.build('--commit=ef4d409'), project.build('--commit=ef4d408'), 'the commit that it names');
});

t.test('the builds that are current stay, and the three newest before them', async (t) => {
  const project = new Project(t);
  const forTests = project.build('--tests');
  const builds = ['one', 'two', 'three', 'four', 'five'].map((text) => {
    project.write('src/text.ts', `export const text = '${text}';`);
    return project.build();
  });
  mkdirSync(join(project.folder, 'dist', '.in-the-making'));
  const last = project.build();
  t.equal(last, builds.at(-1));
  const folders = [forTests, ...builds.slice(1)].map((folder) => folder.slice('dist/'.length));
  t.same(project.list('dist'), [...folders, '.in-the-making', 'current', 'current-tests'].sort());
});

t.test('--check says what is not current, and changes nothing', async (t) => {
  const project = new Project(t);
  const { status, stderr } = project.run('--check');
  t.equal(status, 1);
  t.match(stderr, /^generated\/ is not current: made\.txt, old\.txt\. Run "make generate"/);
  t.same(project.list('generated'), ['made.txt', 'old.txt']);
  t.equal(project.read('generated/made.txt'), 'zero');
  project.build('--generate');
  t.match(project.run('--check'), { status: 0, stderr: '' });
  rmSync(join(project.folder, 'generated/made.txt'));
  t.match(project.run('--check'), { status: 1, stderr: /not current: made\.txt\./ });
});

t.test('an error in the specification is printed without a stack, and there is no build', async (t) => {
  const project = new Project(t);
  project.write('src/text.ts', "export const text = 'refused';");
  t.match(project.run('--generate'), { status: 1, stderr: /^spec\/a\.tsp:1:1 - error\n$/ });
  t.same(project.list('dist'), []);
  project.write('src/text.ts', "export const text = 'broken';");
  t.match(project.run('--generate'), { status: 1, stderr: /TypeError: a fault of ours\n +at / });
  t.same(project.list('dist'), []);
});
