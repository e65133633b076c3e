import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('finish-runs.js', import.meta.url));

/** Starts `finish-runs.ts` in a process of its own. */
export function startRunFinisher(
  url: string,
  accountId: string,
  siteIds: readonly string[],
  key: string,
): ChildProcess {
  return spawn(process.execPath, [PROGRAM, url, accountId, siteIds.join(','), key], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
