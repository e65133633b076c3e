import { readFileSync } from 'node:fs';
import t from 'tap';
import { EQUIVALENTS } from './equivalent.js';
import { mutationsOf } from './mutations.js';

t.test('every equivalent is still a mutation of the source, and is argued', async (t) => {
  t.equal(new Set(EQUIVALENTS.map(({ file, from, to }) => `${file} ${from} ${to}`)).size, EQUIVALENTS.length);
  for (const { file, from, to, why } of EQUIVALENTS) {
    const mutations = mutationsOf(file, readFileSync(file, 'utf8'));
    t.ok(
      mutations.some((mutation) => mutation.from === from && mutation.to === to),
      `${file}: ${from}`,
    );
    t.match(why, /\S \S/, `${file}: ${from}`);
  }
});
