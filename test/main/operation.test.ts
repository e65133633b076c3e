import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { VARIABLES } from '../../src/config.js';
import { type ProgramResult, runCommand } from '../support/program.js';
import { PROJECT, readProject } from '../support/project.js';

const page = readProject('docs/operations.md');
const unit = readProject('deploy/agent-readiness.service');

/** What the page types after the name of the program, in its blocks and in its sentences, and the unit after the program's file. */
function findInvocations(): string[] {
  const code = [...page.matchAll(/```sh\n([^]*?)```|`([^`\n]+)`/g)].map(([, block, inline]) => block ?? inline ?? '');
  const typed = code.flatMap((text) => [
    ...text.matchAll(/(?:^|\s)agent-readiness(?:-scan)? ((?!agent-readiness)[a-z].*)$/gm),
  ]);
  const started = [...unit.matchAll(/^Exec\w+=\S+agent-readiness-scan (.*)$/gm)];
  return [...typed, ...started].map(([, rest]) => rest ?? '');
}

const helps = new Map<string, Promise<ProgramResult>>();

async function readHelp(...path: readonly string[]): Promise<string> {
  const key = path.join(' ');
  const help = helps.get(key) ?? runCommand([...path, '--help']);
  helps.set(key, help);
  return (await help).stdout;
}

/** `account create`, or `migrate`: a word that has commands of its own takes the next one with it. */
async function findCommand(words: readonly string[]): Promise<readonly string[]> {
  const [first = ''] = words;
  return (await readHelp(first)).includes('Commands:') ? words.slice(0, 2) : [first];
}

t.test('every command of the operation page is one of the program, with the options that it is given', async (t) => {
  const invocations = new Set(findInvocations());
  t.ok(invocations.size >= 8, [...invocations].join('; '));
  for (const invocation of invocations) {
    const words = invocation.split(/\s+/);
    if (words[0] === 'help') continue;
    const path = await findCommand(words);
    const help = await readHelp(...path);
    t.match(help, `Usage: agent-readiness-scan ${path.join(' ')} `, invocation);
    for (const option of words.filter((word) => word.startsWith('--'))) t.match(help, option, invocation);
  }
});

t.test('backup makes a copy, or says in one line what to do instead', async (t) => {
  const folder = t.testdir();
  const environment = { DATABASE_URL: `sqlite:${folder}/service.db` };
  await runCommand(['migrate'], environment);
  const file = `${folder}/copy.db`;
  const made = await runCommand(['backup', file, '--json'], environment);
  t.same(JSON.parse(made.stdout), { file, bytes: statSync(file).size });
  const cases: readonly [databaseUrl: string, message: RegExp][] = [
    [environment.DATABASE_URL, /already exists/],
    ['postgres://agent_readiness:secret@127.0.0.1:1/x', /run: pg_dump [^]*"\$DATABASE_URL"$/],
  ];
  for (const [DATABASE_URL, message] of cases) {
    const { exitCode, stdout, stderr } = await runCommand(['backup', file], { DATABASE_URL });
    t.same({ exitCode, stdout }, { exitCode: 2, stdout: '' });
    t.match(stderr.trim(), message);
    t.notMatch(stderr, 'secret');
  }
});

t.test('every setting that is named for operators is one of the program', async (t) => {
  const named = [...page.matchAll(/`([A-Z]+_[A-Z_]+)[`=]/g), ...page.matchAll(/^([A-Z_]+)=\w/gm)];
  const settings = named.map(([, name]) => name ?? '');
  const compose = parse(readProject('compose.yaml'), { merge: true }) as Compose;
  const composed = ['api', 'worker', 'migrate'].flatMap((name) =>
    Object.keys(compose.services[name]?.environment ?? {}),
  );
  t.ok(composed.length >= 10);
  const ofCompose = ['POSTGRES_PASSWORD', 'SERVE_PASSWORD', 'API_PORTS', 'COMPOSE_PROFILES'];
  const ofOthers = [...ofCompose, 'VERSION', 'BUILD_COMMIT', 'IMAGE'];
  const ofGlibc = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_'];
  for (const name of new Set([...settings, ...composed])) {
    t.ok(name in VARIABLES || [...ofOthers, ...ofGlibc].includes(name), name);
  }
});

interface Compose {
  readonly services: Readonly<Record<string, { readonly environment: Readonly<Record<string, string>> }>>;
}

t.test('what the operation page links to is there', async (t) => {
  const links = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, path]) => path ?? '');
  t.ok(links.length >= 4);
  for (const path of new Set(links)) t.ok(existsSync(join(PROJECT, 'docs', path)), path);
});
