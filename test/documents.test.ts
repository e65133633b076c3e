import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { PROJECT } from './support/project.js';

const ROOT = PROJECT;
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'deploy/README.md',
  'docs/accuracy.md',
  'docs/architecture.md',
  'docs/configuration.md',
  'docs/errors.md',
  'test/torture/README.md',
  'test/bench/README.md',
];

/** The targets of a page's links that lead into the project. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => (/^[a-z]+:/.test(target) ? [] : [target]));
}

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
