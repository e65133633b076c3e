import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './project.js';

/** The build that this file was compiled into. */
const BUILD = join(import.meta.dirname, '..', '..');

/** Lays out a folder like a checkout that has been built, with the present build: `src/bin/agent-readiness` starts it. */
export function layCheckout(folder: string): void {
  mkdirSync(join(folder, 'src'), { recursive: true });
  symlinkSync(join(PROJECT, 'src', 'bin'), join(folder, 'src', 'bin'));
  mkdirSync(join(folder, 'dist'));
  symlinkSync(BUILD, join(folder, 'dist', 'present'));
  writeFileSync(join(folder, 'dist', 'current'), 'present\n');
}
