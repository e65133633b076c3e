import { createHash } from 'node:crypto';
import tap from 'tap';
import { DICTIONARY_2 } from '../../../src/app/runs/run-dictionary.js';
import {
  findingsOfPacked,
  packRun,
  RUN_FORMATS,
  type RunFormat,
  RunTexts,
  storeTexts,
} from '../../../src/app/runs/run-texts.js';
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

async function store(db: Database, response: RunResponse, format: RunFormat) {
  const run = packRun(response, format);
  await db.transaction(() => storeTexts(run.texts));
  return run;
}

const countTexts = defineQuery<{ count: number }>((sql) => sql('texts').count({ count: '*' }));

/** How many bytes of a hundred each form may take of a run whose details are all of one kind. */
const SHARE_MAX: Readonly<Record<RunFormat, number>> = { 1: 25, 2: 5 };

onEachDatabase(async (t, engine) => {
  for (const format of RUN_FORMATS) {
    t.test(`form ${format}: stored without the texts of the registry, and read byte for byte`, async (t) => {
      const db = await engine.openDb(t);
      const response = responseWith(OF_EVERY_CHECK);
      const { whole, packed } = await store(db, response, format);
      t.equal(whole.toString(), JSON.stringify(response));
      t.ok(packed.length * 100 < whole.length * SHARE_MAX[format], `${packed.length} of ${whole.length} bytes`);
      t.notMatch(packed.toString(), OF_EVERY_CHECK[0]?.explanation?.slice(0, 40));
      const texts = new RunTexts(db);
      for (const about of ['read first', 'read again']) t.ok((await texts.unpack(packed)).equals(whole), about);
      const bare = OF_EVERY_CHECK.map((finding) => ({ ...finding, title: null, explanation: null, fix: null }));
      t.same(findingsOfPacked(packed), bare);
    });

    t.test(`form ${format}: texts of every kind come back`, async (t) => {
      const db = await engine.openDb(t);
      const odd = [
        { ...finding({ checkId: 'A', result: 'PASS' }), title: null, explanation: null, fix: null },
        {
          ...finding({ checkId: 'B', result: 'PASS' }),
          title: '\u0001\u0000\u0002"\\',
          explanation: '\ud800',
          fix: '',
        },
        {
          ...finding({ checkId: 'C', result: 'PASS' }),
          title: '$& $1',
          explanation: '"title":"C"',
          fix: '\u2028 é 🙂',
        },
        // Fields in another order are stored as they are.
        finding({ checkId: 'D', result: 'FAIL' }),
      ];
      for (const findings of [[], odd, [...odd, ...odd]]) {
        const { whole, packed } = await store(db, responseWith(findings), format);
        t.equal((await new RunTexts(db).unpack(packed)).toString(), whole.toString());
      }
    });

    t.test(`form ${format}: a text that is missing, or is not what its digest says, is never sent`, async (t) => {
      const db = await engine.openDb(t);
      const { packed, texts } = packRun(responseWith(OF_EVERY_CHECK), format);
      await t.rejects(new RunTexts(db).unpack(packed), { message: /^the text [\w-]+ of a run is missing or changed$/ });
      const forge = defineQuery<never, { digest: string }>((sql, { digest }) =>
        sql('texts').insert({ digest, body: '"title":"forged","explanation":null,"fix":null' }),
      );
      for (const digest of texts.keys()) await db.run(forge({ digest }));
      await t.rejects(new RunTexts(db).unpack(packed), { message: /^the text [\w-]+ of a run is missing or changed$/ });
    });
  }

  t.test('a text is stored once, whatever the number of runs and of those that store it at once', async (t) => {
    const db = await engine.openDb(t);
    const response = responseWith(OF_EVERY_CHECK);
    await Promise.all(([1, 2, 1, 2] as const).map((format) => store(db, response, format)));
    await store(db, responseWith(OF_EVERY_CHECK.slice(0, 3)), 2);
    t.same(await db.run(countTexts({})), [{ count: CHECKS.length }]);
  });

  t.test('bodies of both forms are read alongside each other, with texts that begin alike', async (t) => {
    const db = await engine.openDb(t);
    const response = responseWith(OF_EVERY_CHECK);
    const [old, recent] = [await store(db, response, 1), await store(db, response, 2)];
    const texts = new RunTexts(db);
    for (const { packed, whole } of [recent, old, recent]) t.ok((await texts.unpack(packed)).equals(whole));
    const [near = ''] = old.texts.keys();
    const insert = defineQuery<never, { digest: string }>((sql, { digest }) =>
      sql('texts').insert({ digest, body: 'x' }),
    );
    await db.run(insert({ digest: `${near.slice(0, 18)}${'0'.repeat(46)}` }));
    for (const { packed, whole } of [recent, old]) t.ok((await new RunTexts(db).unpack(packed)).equals(whole));
  });

  t.test('a body that is damaged is refused', async (t) => {
    const db = await engine.openDb(t);
    const { packed } = await store(db, responseWith(OF_EVERY_CHECK), 2);
    await t.rejects(new RunTexts(db).unpack(packed.subarray(0, packed.length / 2)));
    t.throws(() => findingsOfPacked(Buffer.of(2, 255, 255)));
  });
});

tap.test('what form 2 is compressed against never changes: stored runs are read with it', async (t) => {
  t.equal(
    createHash('sha256').update(DICTIONARY_2).digest('hex'),
    '5f16b00070602970d4386b0f3edae3c93fe391f313f1c5c7167375f30c43d156',
  );
});
