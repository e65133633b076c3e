import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { PROGRAM } from '../../src/scanner/report/program.js';
import { onSqlite } from '../support/databases.js';
import { SHIPPED } from '../support/project.js';
import { expectedLines, startCalledService } from './called-service.js';
import { listGenerators, readPage } from './page.js';
import { fetching, findTools, shell, type Place, type Tools } from './tools.js';

/** How a client is made and judged, apart from what its section of docs/clients.md says, whose heading ends with the generator's name. */
export interface Recipe extends Tools {
  /** Judges what was generated and both programs, as strictly as the language can. */
  readonly check: string;
  /** Does every operation. */
  readonly run: string;
}

/** Does what the page says, and then every operation, against a live service. */
export function tryRecipe(recipe: Recipe): void {
  const { heading, check, run } = recipe;
  onService(`${heading}: the page makes a client that does every operation`, recipe, async (t, place, service) => {
    const first = { ...place, env: { ...place.env, SITE_ID: service.FIRST_SITE_ID } };
    const printed = await fetching(t, async () => {
      const firstRun = await followPage(heading, first);
      await shell(check, first);
      return firstRun;
    });
    if (printed === undefined) return;
    t.equal(printed, 'Run 1 of first.example.com: 100\n', 'the first call');
    const lines = (await shell(run, place)).trim().split('\n');
    t.strictSame(
      lines.map((line) => JSON.parse(line) as unknown),
      expectedLines(readsUnknownCheck(heading)),
      'every operation',
    );
  });
}

type Service = Awaited<ReturnType<typeof startCalledService>>;

/** A test with a live service, whose sites and keys the environment of the place holds. */
export function onService(
  name: string,
  tools: Tools,
  act: (t: Test, place: Place, service: Service) => Promise<void>,
): void {
  onSqlite(async (t, engine) => {
    await t.test(name, async (t) => {
      const place = await findTools(t, tools);
      if (!place) return;
      const service = await startCalledService(t, await engine.openDb(t));
      const PATH = pathWithProgram(place);
      await act(t, { ...place, env: { ...place.env, ...service, PATH } }, service);
    });
  });
}

/** Writes the files of the section and runs its commands, in their order. @returns what the last one printed */
export async function followPage(heading: string, place: Place): Promise<string> {
  const { start, sections } = readPage();
  let printed = '';
  for (const { language, file, text } of [...start, ...(sections.get(heading) ?? [])]) {
    if (language === 'sh') {
      printed = await shell(text, place);
      continue;
    }
    if (file === undefined) throw new Error(`docs/clients.md names no file for a block of ${language}`);
    mkdirSync(dirname(join(place.cwd, file)), { recursive: true });
    writeFileSync(join(place.cwd, file), text);
  }
  return printed;
}

function readsUnknownCheck(heading: string): boolean {
  const generator = listGenerators().find(({ name }) => heading.endsWith(`: ${name}`));
  if (!generator) throw new Error(`the table of docs/clients.md has no ${heading}`);
  return generator.readsUnknownCheck;
}

/** The program's own command is what the page calls it, as for whoever installed it. */
function pathWithProgram({ cwd, env }: Place): string {
  const bin = join(cwd, '.bin');
  mkdirSync(bin);
  const main = join(fileURLToPath(SHIPPED), 'src/main.js');
  const text = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileSync(join(bin, PROGRAM), text, { mode: 0o755 });
  return [bin, env.PATH ?? ''].join(delimiter);
}
