import { readFileSync } from 'node:fs';
import t from 'tap';
import { SHEET } from '../../../src/web/site/components/sheet.js';
import { onSqlite } from '../../support/databases.js';
import { COMPONENTS_PATH, formatComponents } from '../../support/golden-components.js';
import { startWeb } from '../../support/web.js';

t.test('the components look as they did: a change of look is meant', async (t) => {
  t.equal(formatComponents(), readFileSync(COMPONENTS_PATH, 'utf8'), 'or run "make golden", and read the difference');
});

onSqlite(async (t, engine) => {
  t.test('the sheet of components is there with the demonstration alone', async (t) => {
    const db = await engine.openDb(t);
    t.equal((await (await startWeb(t, db)).newVisitor().get('/_components')).status, 404);
    const { status, text } = await (await startWeb(t, db, { isDemo: true })).newVisitor().get('/_components');
    t.equal(status, 200);
    t.match(text, '<meta name="robots" content="noindex"');
    for (const { id } of SHEET) t.match(text, `<section id="${id}"`);
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    t.equal(new Set(ids).size, ids.length, 'no id twice');
  });
});
