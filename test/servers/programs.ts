import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How a block becomes a whole configuration, with a rule around it that does what the fix is against. */
export interface Setting {
  readonly block: string;
  /** What is refused or answered without the block: every address by the home page, or nobody at all. */
  readonly against: 'application' | 'refusal' | 'nothing';
  readonly folder: string;
  readonly port: number;
}

interface ProgramOf {
  readonly command: string;
  readonly versionFlag: string;
  /** Writes the configuration; returns the arguments. */
  configure(setting: Setting): string[];
}

const APACHE_MODULES = [
  'mpm_event',
  'authz_core',
  'authz_host',
  'dir',
  'mime',
  'rewrite',
  'headers',
  'setenvif',
  'alias',
];

export const PROGRAMS: Readonly<Record<'nginx' | 'Apache' | 'Caddy', ProgramOf>> = {
  nginx: {
    command: '/usr/sbin/nginx',
    versionFlag: '-v',
    configure({ block, against, folder, port }) {
      const { http, server } = sectionsOf(block);
      const rules = {
        application: 'location ~ /\\. { return 403; }\nlocation / { try_files /index.html =404; }',
        refusal: 'deny all;',
        nothing: '',
      };
      write(
        folder,
        'nginx.conf',
        `pid ${folder}/pid; error_log stderr;
events {}
http {
access_log off; include /etc/nginx/mime.types;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
${http}
server { listen 127.0.0.1:${port}; root ${folder}/www; index index.html;
${server}
${rules[against]}
} }`,
      );
      return ['-p', folder, '-c', `${folder}/nginx.conf`, '-g', 'daemon off;'];
    },
  },
  Apache: {
    command: '/usr/sbin/apache2',
    versionFlag: '-v',
    configure({ block, against, folder, port }) {
      const application = 'RewriteEngine On\nRewriteRule . /index.html [END]';
      write(folder, 'www/.htaccess', against === 'application' ? `${block}\n${application}` : block);
      write(
        folder,
        'apache.conf',
        `ServerRoot ${folder}\nServerName localhost\nListen 127.0.0.1:${port}\nPidFile ${folder}/pid\nErrorLog ${folder}/errors
${APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
User www-data\nGroup www-data\nTypesConfig /etc/mime.types\nDirectoryIndex index.html\nDocumentRoot ${folder}/www
<Directory ${folder}/www>
AllowOverride All
Require all ${against === 'refusal' ? 'denied' : 'granted'}
</Directory>`,
      );
      return ['-f', `${folder}/apache.conf`, '-DFOREGROUND'];
    },
  },
  Caddy: {
    command: '/usr/bin/caddy',
    versionFlag: 'version',
    configure({ block, against, folder, port }) {
      const own = against === 'refusal' ? block.replace('203.0.113.0/24', '127.0.0.0/8') : block;
      const rest =
        against === 'application'
          ? 'handle {\nrewrite * /index.html\nfile_server\n}'
          : 'try_files {path} {path}.html\nfile_server';
      write(
        folder,
        'Caddyfile',
        `{\nadmin off\nauto_https off\n}\nhttp://127.0.0.1:${port} {\nbind 127.0.0.1\nroot * ${folder}/www\n${own}\n${rest}\n}\n`,
      );
      return ['run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'];
    },
  },
};

export type Program = keyof typeof PROGRAMS;

/** Its version, or null if it is not installed. */
export function versionOf(program: Program): string | null {
  const { command, versionFlag } = PROGRAMS[program];
  const { status, stdout, stderr } = spawnSync(command, [versionFlag], { encoding: 'utf8', timeout: 10_000 });
  return status === 0 ? ((stdout + stderr).split('\n', 1)[0] ?? '') : null;
}

const START_TRIES = 100;
const TRY_EVERY_MS = 100;

/** Starts the program, asks it, and ends it by its id. */
export async function withProgram<T>(
  program: Program,
  setting: Setting,
  ask: (origin: string) => Promise<T>,
): Promise<T> {
  const { command, configure } = PROGRAMS[program];
  const child = spawn(command, configure(setting), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: setting.folder },
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  const origin = `http://127.0.0.1:${setting.port}`;
  try {
    await untilItAnswers(child, origin, () => errors);
    return await ask(origin);
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await Promise.race([once(child, 'exit'), delay(5_000, undefined, { ref: false })]);
      child.kill('SIGKILL');
    }
  }
}

async function untilItAnswers(child: ChildProcess, origin: string, errors: () => string): Promise<void> {
  for (let tries = 0; tries < START_TRIES; tries += 1) {
    if (child.exitCode !== null) throw new Error(`it does not start: ${errors()}`);
    try {
      await fetch(origin, { method: 'HEAD', signal: AbortSignal.timeout(2_000) });
      return;
    } catch {
      await delay(TRY_EVERY_MS);
    }
  }
  throw new Error(`it does not answer: ${errors()}`);
}

/** The parts of an nginx block by the comments that say where they belong. */
function sectionsOf(block: string): { readonly http: string; readonly server: string } {
  const at = block.indexOf('# in server');
  return at < 0 ? { http: block, server: '' } : { http: block.slice(0, at), server: block.slice(at) };
}

export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
