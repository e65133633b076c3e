import t from 'tap';
import { countContainers } from '../../../src/scanner/parsers/json.js';

const isRefused = (text: string): boolean => countContainers(text) === null;

t.test('a text of more than 100 levels is refused, whether arrays or objects', async (t) => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ] as const) {
    const levels = open.length > 5 ? 50 : 100;
    t.notOk(isRefused(open.repeat(levels) + '1' + close.repeat(levels)), open);
    t.ok(isRefused(open.repeat(levels + 1)), open);
  }
});

t.test('siblings and strings do not count as depth', async (t) => {
  t.notOk(isRefused(`[${'[],{},'.repeat(500)}1]`));
  t.notOk(isRefused(JSON.stringify(['[{'.repeat(500)])));
  t.notOk(isRefused(JSON.stringify([`"${'['.repeat(500)}`, `\\${'['.repeat(500)}`])));
  t.ok(isRefused(JSON.stringify('\\') + '['.repeat(101)), 'a string ends behind an escaped backslash');
  t.notOk(isRefused(''));
});
