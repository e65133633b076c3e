import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, SHIPPED } from './project.js';

/** Lays out a folder like a checkout that has been built, with the present source as it ships: `src/bin/agent-readiness-scan` starts it. */
export function layCheckout(folder: string): void {
  mkdirSync(join(folder, 'src'), { recursive: true });
  symlinkSync(join(PROJECT, 'src', 'bin'), join(folder, 'src', 'bin'));
  mkdirSync(join(folder, 'dist'));
  symlinkSync(SHIPPED, join(folder, 'dist', 'present'));
  writeFileSync(join(folder, 'dist', 'current'), 'present\n');
}
