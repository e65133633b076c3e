import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT } from '../../support/project.js';
import { freePort } from '../../support/program.js';
import { MeasuredProcess } from './measured-process.js';

export const MAIN = fileURLToPath(new URL('../../../shipped/src/main.js', import.meta.url));

/** What `agent-readiness-scan serve` gives Node and its allocator, to keep its memory small. */
const [FLAGS = '', MMAP_THRESHOLD = '', ARENAS = ''] = execFileSync(
  'sh',
  [
    '-c',
    '. "$0" && printf "%s\n" "$service_flags" "$MALLOC_MMAP_THRESHOLD_" "$MALLOC_ARENA_MAX"',
    join(PROJECT, 'src/bin/service-memory.sh'),
  ],
  { encoding: 'utf8', env: {} },
).split('\n');

export interface RunningService {
  readonly process: MeasuredProcess;
  readonly origin: string;
  /** From the start of its process to its first answer that it is ready. */
  readonly startMs: number;
}

/** Starts the built program over a database that has its schema, as it ships. */
export async function startService(
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const beganMs = performance.now();
  const process = new MeasuredProcess([...FLAGS.split(' '), MAIN, 'serve'], {
    ...{ MALLOC_MMAP_THRESHOLD_: MMAP_THRESHOLD, MALLOC_ARENA_MAX: ARENAS },
    ...{ LOG_LEVEL: 'warn', MONTHLY_QUOTA: '1000000000', DATABASE_URL: databaseUrl },
    ...{ PORT: String(port), PUBLIC_URL: origin },
    ...environment,
  });
  await untilReady(origin);
  return { process, origin, startMs: performance.now() - beganMs };
}

async function untilReady(origin: string): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
