import { globSync } from 'node:fs';
import t from 'tap';
import { readProject } from '../../support/project.js';

/**
 * The test of every page depends on both: it looks at all the rules of axe-core in one theme at each width, and at those of colours alone
 * in forced colours.
 */
const ASSETS = 'src/web/kit/assets';
const COLOURS = /color|background|fill|stroke|opacity|filter|shadow|blend/;

/** The properties that are set in a piece of a sheet, with their values. */
function declarationsOf(css: string): (readonly [name: string, value: string])[] {
  return [...css.matchAll(/(?<=[{;]\s*)([\w-]+)\s*:\s*([^;{}]+)(?=[;}])/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
}

/** What stands in the queries for a width. */
function blocksByWidth(css: string): string[] {
  return [...css.matchAll(/@(?:media|container)[^{]*width[^{]*(\{(?:[^{}]|\{[^{}]*\})*\})/g)].map(
    ([, block = '']) => block,
  );
}

const readSheet = (path: string): string => readProject(path).replaceAll(/\/\*.*?\*\//gs, '');

t.test('no sheet sets a colour by the width of the window', async (t) => {
  const blocks = globSync(`${ASSETS}/*.css`).flatMap((path) => blocksByWidth(readSheet(path)));
  const declarations = blocks.flatMap(declarationsOf);
  t.ok(declarations.length > 20, `${declarations.length} declarations`);
  const isColour = ([name, value]: readonly [string, string]): boolean =>
    COLOURS.test(name) || (name.startsWith('--') && !/^[\d.]+(?:px|rem|em|%)?$/.test(value));
  t.same(declarations.filter(isColour), []);
});

t.test('the sheet for forced colours sets colours and borders alone', async (t) => {
  const names = declarationsOf(readSheet(`${ASSETS}/contrast.css`)).map(([name]) => name);
  t.ok(names.length > 20, `${names.length} declarations`);
  t.same(
    names.filter((name) => !COLOURS.test(name) && !/^(?:border|outline)/.test(name)),
    [],
  );
});
