import { packRun, RunTexts, storeTexts } from '../../../src/app/runs/run-texts.js';
import type { RunResponse } from '../../../src/app/runs/run.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { onEachDatabase } from '../../support/databases.js';
import { finding, findingFrom } from '../../support/findings.js';

function responseWith(findings: RunResponse['findings']): RunResponse {
  const at = '2026-03-15T12:00:00.000Z';
  return {
    site: { id: 'site_a', hostname: 'shop.example.com' },
    run: { number: 1, reference: 'CR-000001', score: 50, trigger: 'API', startedAt: at, finishedAt: at },
    findings,
  };
}

/** In the order in which the scanner makes their fields: that of the contract. */
const OF_EVERY_CHECK = CHECKS.map((check): Finding => {
  const { checkId, pillar, scored, result, errorType, title, explanation, fix } = findingFrom(check, {
    result: 'FAIL',
  });
  const detail = `of "${checkId}": "title":"x","explanation":"y" 🙂 \u0001`;
  return { checkId, pillar, scored, result, errorType, detail, title, explanation, fix };
});

async function store(db: Database, response: RunResponse) {
  const run = packRun(response);
  await db.transaction(() => storeTexts(run.texts));
  return run;
}

const countTexts = defineQuery<{ count: number }>((sql) => sql('texts').count({ count: '*' }));

onEachDatabase(async (t, engine) => {
  t.test('a run is stored without the texts of the registry, and read byte for byte', async (t) => {
    const db = await engine.openDb(t);
    const response = responseWith(OF_EVERY_CHECK);
    const { whole, packed } = await store(db, response);
    t.equal(whole.toString(), JSON.stringify(response));
    t.ok(packed.length < whole.length / 4, `${packed.length} of ${whole.length} bytes`);
    t.notMatch(packed.toString(), OF_EVERY_CHECK[0]?.explanation?.slice(0, 40));
    const texts = new RunTexts(db);
    for (const about of ['read first', 'read again']) t.ok((await texts.unpack(packed)).equals(whole), about);
  });

  t.test('a text is stored once, whatever the number of runs and of those that store it at once', async (t) => {
    const db = await engine.openDb(t);
    const response = responseWith(OF_EVERY_CHECK);
    await Promise.all([1, 2, 3, 4].map(() => store(db, response)));
    await store(db, responseWith(OF_EVERY_CHECK.slice(0, 3)));
    t.same(await db.run(countTexts({})), [{ count: CHECKS.length }]);
  });

  t.test('texts of every kind come back', async (t) => {
    const db = await engine.openDb(t);
    const odd = [
      { ...finding({ checkId: 'A', result: 'PASS' }), title: null, explanation: null, fix: null },
      { ...finding({ checkId: 'B', result: 'PASS' }), title: '\u0001\u0000"\\', explanation: '\ud800', fix: '' },
      { ...finding({ checkId: 'C', result: 'PASS' }), title: '$& $1', explanation: '"title":"C"', fix: '\u2028 é 🙂' },
      // Fields in another order are stored as they are.
      finding({ checkId: 'D', result: 'FAIL' }),
    ];
    for (const findings of [[], odd, [...odd, ...odd]]) {
      const { whole, packed } = await store(db, responseWith(findings));
      t.equal((await new RunTexts(db).unpack(packed)).toString(), whole.toString());
    }
  });

  t.test('a text that is missing, or is not what its digest says, is never sent', async (t) => {
    const db = await engine.openDb(t);
    const { packed } = packRun(responseWith(OF_EVERY_CHECK));
    await t.rejects(new RunTexts(db).unpack(packed), {
      message: /^the text [0-9a-f]{64} of a run is missing or changed$/,
    });
    const [, digest = ''] = /\u0001([0-9a-f]{64})/.exec(packed.toString()) ?? [];
    const forge = defineQuery<never, { digest: string }>((sql, { digest }) =>
      sql('texts').insert({ digest, body: '"title":"forged","explanation":null,"fix":null' }),
    );
    await db.run(forge({ digest }));
    await t.rejects(new RunTexts(db).unpack(packed), { message: new RegExp(digest) });
  });
});
