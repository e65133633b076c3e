import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { onSqlite } from '../support/databases.js';
import { PROJECT, SHIPPED } from '../support/project.js';
import { expectedLines, startCalledService } from './called-service.js';
import { listGenerators, readPage } from './page.js';

/** How a client is made and judged, apart from what its section of docs/clients.md says. */
export interface Recipe {
  /** The heading of the section, which ends with the generator's name. */
  readonly heading: string;
  /** A command that succeeds where the language is installed. */
  readonly needs: string;
  /** What of its folder is kept for the next time. What the language's own tools keep elsewhere is not ours to remove. */
  readonly kept?: readonly string[];
  /** Files of test/clients by their place in the folder: the program that does every operation, and what pins packages. */
  readonly files: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Judges what was generated and both programs, as strictly as the language can. */
  readonly check: string;
  /** Does every operation. */
  readonly run: string;
  /** The call that the types of the client make impossible. */
  readonly impossible?: string;
}

/** What pip, npm, Go, Maven and Cargo say where they reach no registry. */
const UNREACHED =
  /name resolution|NameResolutionError|ENOTFOUND|EAI_AGAIN|no such host|Unknown host|Could not resolve host|Network is unreachable|Failed to establish a new connection|proxyconnect tcp/i;
const CACHE = join(PROJECT, 'dist/.clients');
/** Some systems let nobody execute what lies in the folder that the tests otherwise have. */
const TEMPORARY = join(CACHE, 'tmp');

/** Does what the page says, and then every operation, against a live service. */
export function tryRecipe(recipe: Recipe): void {
  const { heading, needs, files, check, run } = recipe;
  onSqlite(async (t, engine) => {
    await t.test(`${heading}: the page makes a client that does every operation`, async (t) => {
      const folder = emptyFolder(recipe);
      const env = { ...process.env, ...recipe.env, PATH: pathWithProgram(folder), TMPDIR: TEMPORARY };
      if (!(await succeeds(needs, { cwd: folder, env }))) return skip(t, `not here: ${needs}`);
      const service = await startCalledService(t, await engine.openDb(t));
      const first = { cwd: folder, env: { ...env, ...service, SITE_ID: service.FIRST_SITE_ID } };
      for (const [target, source] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, target)), { recursive: true });
        copyFileSync(join(PROJECT, 'test/clients', source), join(folder, target));
      }
      try {
        t.equal(await followPage(heading, first), 'Run 1 of first.example.com: 100\n', 'the first call');
        await shell(check, first);
      } catch (error) {
        const { message } = error as Error;
        if (!UNREACHED.test(message)) throw error;
        return skip(t, `no registry to be reached: ${UNREACHED.exec(message)?.[0]}`);
      }
      const lines = (await shell(run, { cwd: folder, env: { ...env, ...service } })).trim().split('\n');
      t.strictSame(
        lines.map((line) => JSON.parse(line) as unknown),
        expectedLines(readsUnknownCheck(heading), recipe.impossible),
        'every operation',
      );
    });
  });
}

/** Writes the files of the section and runs its commands, in their order. @returns what the last one printed */
async function followPage(heading: string, place: Place): Promise<string> {
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

function skip(t: Test, reason: string): void {
  t.pass('a client', { skip: reason });
}

/** The folder of the recipe, with nothing in it but what is kept. */
function emptyFolder({ heading, kept = [] }: Recipe): string {
  const folder = join(CACHE, heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
  for (const made of [TEMPORARY, folder]) mkdirSync(made, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return folder;
}

/** The program's own command is what the page calls it, as for whoever installed it. */
function pathWithProgram(folder: string): string {
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  const main = join(fileURLToPath(SHIPPED), 'src/main.js');
  const text = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileSync(join(bin, 'agent-readiness'), text, { mode: 0o755 });
  return [bin, process.env.PATH ?? ''].join(delimiter);
}

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** @returns what the commands printed. Rejects with all that they said where one fails */
function shell(script: string, place: Place): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('sh', ['-euc', script], { ...place, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${script}\n${`${stdout}${stderr}`.slice(-8000)}`));
      else resolve(stdout);
    });
  });
}

function succeeds(script: string, place: Place): Promise<boolean> {
  return shell(script, place).then(
    () => true,
    () => false,
  );
}
