/** Part of `make check`: generates into a clean folder and compares it with the committed one, file by file. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const clean = mkdtempSync(join(tmpdir(), 'agent-readiness-generated-'));
try {
  execFileSync('node', ['--import', 'tsx', 'src/build/generate.ts', '--out', clean], { stdio: 'inherit' });
  const names = [...new Set([...readdirSync(clean), ...readdirSync('generated')])].sort();
  const stale = names.filter((name) => read(join(clean, name)) !== read(join('generated', name)));
  if (stale.length > 0) {
    process.stderr.write(
      `generated/ is not current: ${stale.join(', ')}. Run "make generate" and commit the result.\n`,
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(clean, { recursive: true, force: true });
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
