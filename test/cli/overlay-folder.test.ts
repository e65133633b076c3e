import { mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { readOverlay } from '../../src/cli/overlay.js';

const FIELDS = `# for all
/*
  X-All: yes

/docs/:page
  X-Robots-Tag: noindex
  ! X-Powered-By
`;

t.test('files are served at their paths, with types by their extensions', async (t) => {
  const folder = t.testdir({
    'index.html': 'home',
    'llms.txt': 'llms',
    '.env': 'secret',
    '.well-known': { 'agent-card.json': '{}', 'api-catalog': '{}' },
    docs: { 'index.html': 'docs', 'a b.html': 'page', '.git': { config: 'secret' } },
    'a.bin': 'x',
    'a\\b.txt': 'on Windows, a file of another folder',
  });
  symlinkSync('/etc/passwd', join(folder, 'link.txt'));
  const { fileAt } = await readOverlay(folder);
  const at = async (path: string): Promise<string | null> => {
    const file = fileAt(path);
    return file && `${file.type} ${await text(file.body)}`;
  };
  t.equal(await at('/'), 'text/html; charset=utf-8 home');
  t.equal(await at('/index.html'), await at('/'));
  t.equal(await at('/docs/'), 'text/html; charset=utf-8 docs');
  t.equal(await at('/docs/a%20b.html'), 'text/html; charset=utf-8 page');
  t.equal(await at('/llms.txt'), 'text/plain; charset=utf-8 llms');
  t.equal(await at('/.well-known/agent-card.json'), 'application/json {}');
  t.equal(await at('/.well-known/api-catalog'), 'application/json {}');
  t.equal(await at('/a.bin'), 'application/octet-stream x');
  for (const none of [
    '/docs',
    '/docs/a%20b',
    '/.env',
    '/docs/.git/config',
    '/link.txt',
    '/%E0%A4%A',
    '/../llms.txt',
    '/a%5Cb.txt',
  ]) {
    t.equal(fileAt(none), null, none);
  }
});

t.test('_headers adds header fields', async (t) => {
  const { fieldsFor, fileAt } = await readOverlay(t.testdir({ _headers: FIELDS, 'a.txt': 'a' }));
  t.same(fieldsFor('/a.txt'), [['x-all', 'yes']]);
  t.same(fieldsFor('/docs/one'), [
    ['x-all', 'yes'],
    ['x-robots-tag', 'noindex'],
    ['x-powered-by', null],
  ]);
  t.same(fieldsFor('/docs/one/two'), [['x-all', 'yes']]);
  t.same(fieldsFor('/docs/'), [['x-all', 'yes']]);
  t.equal(fileAt('/_headers'), null, 'it is not served itself');
  for (const wrong of ['  X-A: b', '/a\n  X A: b', '/a\n  X-A', '/a\n  ! X-A: b', '/*a*\n  X-A: b']) {
    const folder = t.testdir({ _headers: wrong, 'a.txt': 'a' });
    await t.rejects(readOverlay(folder), { name: 'InputError', message: /^--overlay: line \d of _headers / }, wrong);
  }
});

t.test('a file that cannot be read is named, and no more of one is read than is used', async (t) => {
  const folder = t.testdir({ 'a.txt': 'a', 'large.txt': 'a' });
  const { fileAt } = await readOverlay(folder);
  const removed = fileAt('/a.txt');
  rmSync(join(folder, 'a.txt'));
  await t.rejects(text(removed!.body), { name: 'InputError', message: /^--overlay: .*a\.txt cannot be read: ENOENT/ });
  truncateSync(join(folder, 'large.txt'), 3 * 1024 ** 3);
  for await (const chunk of fileAt('/large.txt')!.body) {
    t.ok(chunk.length < 1024 ** 2);
    break;
  }
  mkdirSync(join(folder, '_headers'));
  await t.rejects(readOverlay(folder), {
    name: 'InputError',
    message: /^--overlay: .*_headers cannot be read: EISDIR/,
  });
});
