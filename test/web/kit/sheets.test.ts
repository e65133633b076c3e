import t from 'tap';
import { readProject } from '../../support/project.js';

const COLOURS = /color|background|fill|stroke|opacity|filter|shadow|blend/;

/** The test of all pages depends on this: in forced colours it applies axe-core's rules of colours only. */
t.test('the sheet for forced colours sets colours and borders alone', async (t) => {
  const css = readProject('src/web/assets/contrast.css').replaceAll(/\/\*.*?\*\//gs, '');
  const names = [...css.matchAll(/(?<=[{;]\s*)([\w-]+)\s*:[^;{}]+(?=[;}])/g)].map(([, name = '']) => name);
  t.ok(names.length > 20, `${names.length} declarations`);
  const others = names.filter((name) => !COLOURS.test(name) && !/^(?:border|outline)/.test(name));
  t.same(others, []);
});
