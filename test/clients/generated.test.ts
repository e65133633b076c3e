import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { followPage, onService } from './recipe.js';
import { LOOKED_AT } from './recipes.js';
import { fetching } from './tools.js';

for (const { heading, file, declarations, ...tools } of LOOKED_AT) {
  onService(`${heading}: what may be null is nullable`, { heading, ...tools }, async (t, place) => {
    if ((await fetching(t, () => followPage(heading, place))) === undefined) return;
    const lines = readFileSync(join(place.cwd, file), 'utf8')
      .split('\n')
      .map((line) => line.trim());
    for (const declaration of declarations) t.ok(lines.includes(declaration), declaration);
  });
}
