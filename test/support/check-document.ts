/**
 * Part of `make check`: Redocly's recommended rules and Spectral's rules for OpenAPI over the document, with no error and no
 * warning. Their reports are read as JSON, so that what they print beside them (such as notices of new versions) stays out.
 */
import { execFileSync } from 'node:child_process';

const DOCUMENT = 'generated/openapi.json';

interface RedoclyReport {
  readonly totals: { readonly errors: number; readonly warnings: number };
  readonly problems: readonly {
    readonly message: string;
    readonly location: readonly { readonly pointer: string }[];
  }[];
}

interface SpectralProblem {
  readonly code: string;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

function runTool(name: string, args: readonly string[]): string {
  try {
    return execFileSync(`node_modules/.bin/${name}`, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    // Both exit with an error when they find one, and print their report all the same.
    if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string') return error.stdout;
    throw error;
  }
}

const redocly = JSON.parse(
  runTool('redocly', ['lint', '--config', '.redocly.yaml', '--format', 'json', DOCUMENT]),
) as RedoclyReport;
const spectral = JSON.parse(
  runTool('spectral', ['lint', '--quiet', '--format', 'json', '--fail-severity', 'hint', DOCUMENT]),
) as SpectralProblem[];

const { errors, warnings } = redocly.totals;
if (errors + warnings > 0) {
  for (const { message, location } of redocly.problems) {
    process.stderr.write(`redocly: ${message} (${location[0]?.pointer ?? ''})\n`);
  }
}
for (const { code, message, path } of spectral) {
  process.stderr.write(`spectral: ${code}: ${message} (${path.join('/')})\n`);
}
process.stdout.write(
  `${DOCUMENT}: redocly ${errors} errors, ${warnings} warnings; spectral ${spectral.length} problems\n`,
);
process.exitCode = errors + warnings + spectral.length > 0 ? 1 : 0;
