import t from 'tap';
import { walkNamed } from './walk-request.js';

t.test('a walk names the files and the statements of a request, and nothing that it does not use', async (t) => {
  const { request, files, statements } = await walkNamed(t, 'getRun');
  t.match(request, /^GET \/api\/v1\/sites\/\w+\/runs\/1: 200$/);
  t.ok(files.has('src/api/api.ts'));
  t.notOk(files.has('src/app/runs/run-performer.ts'));
  t.ok(statements.some((sql) => /\bjoin `?runs\b/i.test(sql)));
});

t.test('a request passes few files and statements', async (t) => {
  for (const [name, filesMax, statementsMax] of [
    ['getLatestRun', 16, 2],
    ['createRun', 26, 8],
    ['sign-in', 23, 6],
    ['site-page', 46, 9],
    ['save-tags', 21, 3],
  ] as const) {
    const { files, statements } = await walkNamed(t, name);
    t.ok(files.size <= filesMax, `${name}: ${files.size} files`);
    t.ok(statements.length <= statementsMax, `${name}: ${statements.length} statements`);
  }
});

t.test('an operation that the document does not have is answered with those that it has', async (t) => {
  await t.rejects(walkNamed(t, 'getRuns'), { message: /getLatestRun, getRun/ });
});
