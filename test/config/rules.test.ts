import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ESLint, Linter } from 'eslint';
import t from 'tap';
import { parser } from 'typescript-eslint';
import { PROJECT, readProject } from '../support/project.ts';

// That one module alone talks to strangers is proven by the rules of imports, which `make check` applies to all of src. Here
// these rules are shown files that break them, so that a rule that bites no more is seen.

const run = promisify(execFile);

/** Files that must be refused, each by the rule that has to bite. */
const FORBIDDEN: readonly (readonly [file: string, statement: string, rule: string])[] = [
  ['scanner/gatherers/bad-1.ts', "import { request } from 'undici';", 'only-the-guard-imports-undici'],
  ['scanner/client/bad-2.ts', "export { Agent } from 'undici';", 'only-the-guard-imports-undici'],
  ['net/bad-3.ts', "import type { Agent } from 'undici';\nexport type A = Agent;", 'only-the-guard-imports-undici'],
  ['app/bad-4.ts', "export const load = () => import('undici');", 'only-the-guard-imports-undici'],
  ['app/bad-13.ts', "export const load = () => import('../scanner/scan/scanner.js');", 'only-wiring-opens-the-network'],
  ['net/bad-14.ts', "export * from '../scanner/scan/scanner.js';", 'net-imports-one-way'],
  ['scanner/client/bad-15.ts', "export * from '../scan/scanner.js';", 'scanner/client-imports-earlier-ones'],
  ['scanner/checks/bad-16.ts', "export * from '../../net/network-transport.js';", 'only-the-client-sends'],
  ['scanner/parsers/bad-17.ts', "export * from '../../net/network-transport.js';", 'only-the-client-sends'],
  ['scanner/gatherers/bad-5.ts', "import { get } from 'node:http';\nget('');", 'no-http-client-of-node'],
  ['api/bad-6.ts', "import { request } from 'https';\nrequest('');", 'no-http-client-of-node'],
  ['web/server/bad-7.ts', "import * as http2 from 'node:http2';\nhttp2.connect('');", 'no-sockets-of-node'],
  ['net/bad-8.ts', "import { connect } from 'node:tls';\nconnect({});", 'no-sockets-of-node'],
  [
    'scanner/parsers/bad-9.ts',
    "import { createSocket } from 'node:dgram';\ncreateSocket('udp4');",
    'no-sockets-of-node',
  ],
  ['app/bad-10.ts', "import { execFile } from 'node:child_process';\nexecFile('curl');", 'no-sockets-of-node'],
  [
    'scanner/gatherers/bad-11.ts',
    "import { lookup } from 'node:dns';\nlookup('', () => {});",
    'only-the-resolver-asks-the-dns',
  ],
  ['app/bad-12.ts', "import { resolve4 } from 'node:dns/promises';\nresolve4('');", 'only-the-resolver-asks-the-dns'],
];

/** What some of them import. */
const IMPORTED = ['scanner/scan/scanner.ts', 'net/network-transport.ts'];

t.test('no other module than the guard may import a client', async (t) => {
  const folder = t.testdir();
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'tsconfig.json'), readFileSync(join(PROJECT, 'tsconfig.json')));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const files = [...FORBIDDEN, ...IMPORTED.map((file) => [file, 'export const scan = 1;'] as const)];
  for (const [file, statement] of files) {
    const path = join(folder, 'src', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${statement}\n`);
  }
  const broken = await cruise(folder);
  for (const [file, statement, rule] of FORBIDDEN) {
    t.ok(
      broken.some((one) => one.from === `src/${file}` && one.rule.name === rule),
      `${rule}: ${statement}`,
    );
  }
});

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

async function cruise(cwd: string): Promise<readonly Violation[]> {
  const program = join(PROJECT, 'test/config/node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const config = join(PROJECT, 'test', 'config', 'dependency-cruiser.cjs');
  const args = [program, '--config', config, '--output-type', 'json', 'src'];
  const { stdout } = await run(process.execPath, args, { cwd, maxBuffer: 32 * 1_048_576 }).catch(
    (error: unknown) => error as { stdout: string },
  );
  return (JSON.parse(stdout) as { readonly summary: { readonly violations: readonly Violation[] } }).summary.violations;
}

const eslint = new ESLint({ overrideConfigFile: join(PROJECT, 'test', 'config', 'eslint.config.js'), cwd: PROJECT });
const linter = new Linter();

/** The rules whose names contain `kind` and that refuse this code as a file of `src`. */
async function complaintsOf(file: string, code: string, kind: string): Promise<string[]> {
  const { rules, plugins } = (await eslint.calculateConfigForFile(join(PROJECT, 'src', file))) as Linter.Config;
  const applied = Object.entries(rules ?? {}).filter(([name]) => name.includes(kind));
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: { parser },
    plugins: plugins ?? {},
    rules: Object.fromEntries(applied),
  };
  return linter.verify(code, config, { filename: file }).map(({ ruleId }) => ruleId ?? 'broken');
}

t.test('nor reach one by a global, by a socket, or by a detour', async (t) => {
  const imports = '@typescript-eslint/no-restricted-imports';
  for (const [file, code, rules] of [
    ['scanner/gatherers/home.ts', "await fetch('http://127.0.0.1/');", ['no-restricted-globals']],
    ['scanner/client/send.ts', "new WebSocket('ws://127.0.0.1/');", ['no-restricted-globals']],
    ['app/runs.ts', "await globalThis.fetch('http://127.0.0.1/');", ['no-restricted-properties']],
    ['net/network-transport.ts', "import { connect } from 'node:net';", [imports]],
    ['net/guard.ts', "import net from 'net';", [imports]],
    ['platform/http/server.ts', "import { request } from 'node:http';", [imports]],
    ['platform/http/server.ts', "import { connect } from 'node:net';", [imports]],
    ['wiring/serve.ts', "process.getBuiltinModule('node:net');", ['no-restricted-properties']],
    ['config.ts', "process.binding('tcp_wrap');", ['no-restricted-properties']],
    ['wiring/serve.ts', "import { createRequire } from 'node:module';", ['no-restricted-syntax']],
    ['wiring/serve.ts', "await import(`node:${'net'}`);", ['no-restricted-syntax']],
    ['net/guard.ts', "import { isIP, type Socket } from 'node:net';", []],
    ['platform/http/server.ts', "import { createServer } from 'node:http';", []],
  ] as const) {
    t.same(await complaintsOf(file, code, 'no-restricted-'), rules, `src/${file}: ${code}`);
  }
});

t.test('a regular expression that backtracks is refused', async (t) => {
  const complaints = await complaintsOf('scanner/parsers/text.ts', 'export const a = /^(?:a+)+$/;', 'regexp/');
  t.same(complaints, ['regexp/no-super-linear-backtracking']);
});

t.test('the map in docs/architecture.md names the imports that the rules allow, and no others', async (t) => {
  const config = createRequire(import.meta.url)(join(PROJECT, 'test/config/dependency-cruiser.cjs')) as {
    readonly forbidden: readonly { readonly name: string; readonly to: { readonly pathNot?: string } }[];
  };
  const folderOf = (path: string): string => path.split('/')[0] ?? '';
  const allowed = config.forbidden.flatMap(({ name, to }) => {
    const [, from] = /^(.+)-imports-one-way$/.exec(name) ?? [];
    const [, rooms = ''] = /^\^src\/\(([^)]*)\)/.exec(to.pathNot ?? '') ?? [];
    return from === undefined ? [] : rooms.split('|').map((room) => `${folderOf(from)} → ${folderOf(room)}`);
  });
  const rows = [...readProject('docs/architecture.md').matchAll(/^\| `([\w/]+)\/` +\|[^|]*\|([^|]*)\|$/gm)];
  const named = rows.flatMap(([, from = '', cell = '']) =>
    [...cell.matchAll(/`([\w/]+)`/g)].map(([, to = '']) => `${from} → ${to}`),
  );
  const between = new Set(allowed.filter((arrow) => !/^(\S+) → \1$/.test(arrow)));
  t.same(named.sort(), [...between].sort());
});

/** A folder may shrink unnoticed. One that grows raises its number here, with the reason in the commit. */
t.test('no folder has more lines than test/config/sizes.json allows', (t) => {
  const sizes = JSON.parse(readProject('test/config/sizes.json')) as Readonly<Record<string, number>>;
  for (const [folder, linesMax] of Object.entries(sizes)) {
    const files = globSync(`${folder}/**/*.{ts,tsx,js,css,tsp}`, { cwd: PROJECT, exclude: ['**/node_modules'] });
    const lines = files.reduce((sum, file) => sum + readProject(file).split('\n').length - 1, 0);
    t.ok(lines <= linesMax, `${folder}: ${lines} of ${linesMax} lines`);
    t.ok(lines > linesMax * 0.9, `${folder} has shrunk to ${lines} lines: lower its ${linesMax}`);
  }
  t.end();
});
