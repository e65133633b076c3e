import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The project's folder. Tests are run from there, whatever folder they were compiled into. */
export const PROJECT = process.cwd();

/** The build that this file was compiled into. */
export const BUILD = new URL('../../', import.meta.url);

/** The same source as it ships. */
export const SHIPPED = new URL('shipped/', BUILD);

export function readProject(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8');
}

export function readFixture(path: string): string {
  return readProject(`test/fixtures/${path}`);
}

export function packageVersion(): string {
  return (JSON.parse(readProject('package.json')) as { version: string }).version;
}
