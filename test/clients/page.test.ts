import t from 'tap';
import { listGenerators, readPage } from './page.js';
import { RECIPES } from './recipes.js';

t.test('every section of docs/clients.md with code is tried, and says the version of its row in the table', (t) => {
  const { sections } = readPage();
  const recipes = Object.values(RECIPES).map(({ heading }) => heading);
  t.strictSame([...sections.keys()], recipes);
  const generators = listGenerators();
  t.strictSame(
    generators.map(({ name }) => name),
    recipes.map((heading) => heading.split(': ')[1]),
  );
  for (const { name, version } of generators) {
    const [, blocks = []] = [...sections].find(([heading]) => heading.endsWith(`: ${name}`)) ?? [];
    t.ok(
      blocks.some(({ text }) => text.includes(version)),
      `${name} ${version}`,
    );
  }
  t.end();
});
