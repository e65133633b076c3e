import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { PROJECT } from './support/project.js';

const ROOT = PROJECT;
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'deploy/README.md',
  ...globSync('docs/*.md', { cwd: ROOT }),
  'test/torture/README.md',
  'test/bench/README.md',
];

/** The targets of a page's links that lead into the project. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => (/^[a-z]+:/.test(target) ? [] : [target]));
}

t.test('README takes a few minutes to read, and leads to every page of docs/ in two steps at most', async (t) => {
  const pagesOf = (page: string): string[] =>
    linksOf(readFileSync(join(ROOT, page), 'utf8')).flatMap((link) => {
      const [path = ''] = link.split('#');
      return path.endsWith('.md') ? [join(dirname(page), path)] : [];
    });
  t.ok(readFileSync(join(ROOT, 'README.md'), 'utf8').split(/\s+/).length <= 1200);
  const near = pagesOf('README.md');
  const reached = [...near, ...near.flatMap(pagesOf)];
  for (const page of globSync('docs/*.md', { cwd: ROOT })) t.ok(reached.includes(page), page);
});

/** As GitHub makes an anchor of a heading. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

for (const page of PAGES) {
  t.test(`every link of ${page} leads somewhere`, async (t) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    for (const link of linksOf(text)) {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
      t.ok(existsSync(file), link);
      if (anchor !== undefined) t.ok(anchorsOf(readFileSync(file, 'utf8')).includes(anchor), link);
    }
  });
}

t.test('the programs of torture are those that its page and the Makefile name', async (t) => {
  const makefile = readFileSync(join(ROOT, 'Makefile'), 'utf8');
  const named = /^TORTURE \?= (.+)$/m.exec(makefile)?.[1]?.split(' ') ?? [];
  const page = readFileSync(join(ROOT, 'test', 'torture', 'README.md'), 'utf8');
  const programs = [...page.matchAll(/^\| `make (?:torture TORTURE=)?([\w-]+)`/gm)].map(([, name = '']) => name);
  // Fuzz is a target, and HTTP/2 is tried again when undici has changed.
  const inPage = programs.filter((name) => !['fuzz', 'http2'].includes(name));
  t.same([...named].sort(), inPage.sort());
  for (const name of inPage.filter((name) => name !== 'kills'))
    t.ok(existsSync(join(ROOT, 'test', 'torture', `${name}.ts`)), name);
  for (const name of readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').matchAll(/TORTURE="?([\w -]+)/g)) {
    for (const one of name[1]?.split(' ') ?? []) t.ok(named.includes(one), one);
  }
});

/** Whatever runs a package by its name, fetched from a registry if need be; a name that is filled in too. */
const FETCHED =
  /\b(?:npx|bunx|(?:npm|pnpm|yarn) (?:exec|dlx|i|install|add)|npm create)\s+(?:-\S+\s+)*(?:agent-readiness(?![\w-])|\$\{PROGRAM)/;

/** Paragraphs of a text that have the program fetched, and do not speak of a checkout. */
function listFetches(text: string): string[] {
  return text.split(/\n\s*\n/).filter((paragraph) => FETCHED.test(paragraph) && !/\bcheckout/.test(paragraph));
}

t.test('no text has the program fetched by a name that is somebody else’s', async (t) => {
  const folders = ['.github', 'deploy', 'docs', 'generated', 'spec', 'src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const files = [...folders, ...readdirSync(ROOT)].filter((file) =>
    /\.(?:tsx?|tsp|json|md|sh|ya?ml|svg|service)$|file$|\/agent-readiness$/.test(file),
  );
  t.ok(files.length > 300);
  for (const file of files) t.same(listFetches(readFileSync(join(ROOT, file), 'utf8')), [], file);
  const src = files.filter((file) => file.startsWith('src/') && /\.tsx?$/.test(file));
  for (const file of src) {
    t.notMatch(
      readFileSync(join(ROOT, file), 'utf8'),
      /agent-readiness (?:scan|checks|migrate|verify|site|serve) /,
      file,
    );
  }
});

t.test('what has it fetched is found in any form', async (t) => {
  const fetched = [
    'Run `npx agent-readiness scan https://a.example`.',
    '`npx\nagent-readiness`',
    'npx -y agent-readiness checks',
    'npm install --global agent-readiness',
    'pnpm dlx agent-readiness scan',
    'npx ${PROGRAM} scan',
  ];
  for (const text of fetched) t.same(listFetches(text), [text], text);
  t.same(listFetches('In the checkout `npx agent-readiness help` lists them.'), []);
  t.same(listFetches('npx agent-readiness-scan, npx tsc'), []);
  t.same(listFetches('In the checkout.\n\nnpx agent-readiness'), ['npx agent-readiness']);
});

t.test('every line of the log that the operation page names is one that we write', (t) => {
  const page = readFileSync(join(ROOT, 'deploy/README.md'), 'utf8');
  const named = [...page.matchAll(/\blog: `([^`]+)`/g), ...page.matchAll(/\bthe line `([^`]+)`/g)].map(
    ([, line = '']) => line,
  );
  t.ok(named.length >= 6);
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const source = sources.join('\n').replaceAll('’', "'");
  for (const line of named) t.ok(source.includes(line), line);
  t.end();
});
