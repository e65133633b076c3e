import t from 'tap';
import { readProject } from '../../support/project.js';

const COLOURS = /color|background|fill|stroke|opacity|filter|shadow|blend/;

/** The properties that are set in a piece of a sheet, with their values. */
function declarationsOf(css: string): (readonly [name: string, value: string])[] {
  return [...css.matchAll(/(?<=[{;]\s*)([\w-]+)\s*:\s*([^;{}]+)(?=[;}])/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
}

/** The test of every page depends on it: in forced colours it looks at axe-core's rules of colours alone. */
t.test('the sheet for forced colours sets colours and borders alone', async (t) => {
  const names = declarationsOf(readProject('src/web/assets/contrast.css').replaceAll(/\/\*.*?\*\//gs, '')).map(
    ([name]) => name,
  );
  t.ok(names.length > 20, `${names.length} declarations`);
  t.same(
    names.filter((name) => !COLOURS.test(name) && !/^(?:border|outline)/.test(name)),
    [],
  );
});
