import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import t from 'tap';
import { TABLES } from '../src/store/tables.js';
import { PROJECT, readProject } from './support/project.js';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/*.md', { cwd: PROJECT }),
  'test/torture/README.md',
  'test/bench/README.md',
];

function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => (/^[a-z]+:/.test(target) ? [] : [target]));
}

/** Returns the anchors that GitHub gives to headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

t.test('every link between the documents leads somewhere', async (t) => {
  for (const page of PAGES) {
    for (const link of linksOf(readProject(page))) {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? join(PROJECT, page) : join(PROJECT, dirname(page), path);
      t.ok(existsSync(file), `${page}: ${link}`);
      if (anchor !== undefined) t.ok(anchorsOf(readFileSync(file, 'utf8')).includes(anchor), `${page}: ${link}`);
    }
  }
});

/** Files that a reader of CONTRIBUTING.md would add. */
const ADDED_BY_READER = /c-site-03|C-SITE-03|get-previous-run/;

t.test('the files of src, spec and test that the documents name exist', async (t) => {
  for (const page of ['CONTRIBUTING.md', 'SECURITY.md', 'docs/architecture.md']) {
    for (const [, path = ''] of readProject(page).matchAll(/`((?:[\w-]+\/)+[\w-]+(?:\.\w+)+)`/g)) {
      const isThere = ['', 'src', 'src/app', 'src/scanner'].some((folder) => existsSync(join(PROJECT, folder, path)));
      t.ok(isThere || ADDED_BY_READER.test(path), `${page}: ${path}`);
    }
  }
});

for (const page of [...PAGES, 'src/package/README.md']) {
  t.test(`no command of ${page} has a comment, which zsh would take for arguments`, async (t) => {
    const blocks = [...readProject(page).matchAll(/```(?:sh|bash|shell|console)\n([^]*?)```/g)];
    for (const [, block = ''] of blocks) t.notMatch(block, /(?:^|\s)#/m, block);
  });
}

/** The name of the command before 0.9. */
const OLD_NAME = /(?<![\w/-])agent-readiness (?:scan|openapi|serve|verify|account|site|key|help|--version)\b/;

t.test('texts call the command by its name, and the source takes the name from its one constant', async (t) => {
  const folders = ['.github', 'deploy', 'docs', 'generated', 'spec', 'src'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  for (const file of [...folders, join(PROJECT, 'README.md'), join(PROJECT, 'CONTRIBUTING.md')]) {
    const text = readFileSync(file, 'utf8');
    t.notMatch(text, OLD_NAME, file);
    if (/\.tsx?$/.test(file)) t.notMatch(text, /agent-readiness-scan /, file);
  }
});

t.test('the map in docs/architecture.md has every feature in its order, and every table but that of the queue', (t) => {
  const rows = [...readProject('docs/architecture.md').matchAll(/^\| `([a-z-]+)` +\|[^|]*\|([^|]*)\|$/gm)];
  const { forbidden } = createRequire(import.meta.url)(join(PROJECT, 'test/config/dependency-cruiser.cjs')) as {
    readonly forbidden: readonly { readonly name: string }[];
  };
  const inOrder = forbidden.flatMap(({ name }) => /^app\/(.+)-imports-earlier-ones$/.exec(name)?.[1] ?? []);
  const features = rows.map(([, feature]) => feature);
  t.same(features, [...inOrder, 'demo']);
  const listed = rows.flatMap(([, , tables = '']) => [...tables.matchAll(/`(\w+)`/g)].map(([, table]) => table));
  t.same([...listed, 'jobs'].sort(), Object.keys(TABLES).sort());
  t.end();
});
