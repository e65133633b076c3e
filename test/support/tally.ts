import type { Parser, Result } from 'tap-parser';

interface Seen {
  asserts: number;
  children: number;
  failed: number;
}

/** How a process ended: `exit` says it in words, such as `ended with exit code 1`. */
interface Ending {
  readonly isOk: boolean;
  readonly exit: string;
}

/** The number of files that a report names as the slowest. */
const SLOWEST = 5;

/** Counts the results of the test files, and prints failures as they come. */
export class Tally {
  passed = 0;
  failed = 0;
  readonly durationsMs: Record<string, number> = {};
  readonly #passedByDatabase = new Map<string, number>();
  readonly #failures: string[] = [];
  readonly #skips: string[] = [];

  /** Follows the report of a process that runs these files. Once the process has ended, `end` returns the files that it did not run. */
  begin(files: readonly string[]): {
    readonly follow: (parser: Parser) => void;
    readonly end: (ending: Ending) => readonly string[];
  } {
    const waiting = new Set(files);
    const failedBefore = this.failed;
    let running: { readonly file: string; readonly seen: Seen; readonly startedMs: number } | null = null;
    /** @param exit how the process ended during the file; undefined if the file came to its own end */
    const endFile = (isOk: boolean, exit?: string): void => {
      if (!running) return;
      const { file, seen, startedMs } = running;
      running = null;
      const durationMs = Date.now() - startedMs;
      this.durationsMs[file] = durationMs;
      if (exit !== undefined) this.fail(file, `its process ${exit}`);
      else if (seen.asserts === 0) this.fail(file, 'ran no assertion');
      else if (!isOk && seen.failed === 0) this.fail(file, 'failed outside of a test');
      process.stdout.write(`${isOk && seen.asserts > 0 ? 'ok    ' : 'FAILED'}  ${file} (${durationMs} ms)\n`);
    };
    return {
      follow: (parser) => {
        parser.on('child', (child: Parser) => {
          waiting.delete(child.name);
          running = { file: child.name, seen: this.#follow(child, [child.name]), startedMs: Date.now() };
        });
        parser.on('assert', (result: Result) => {
          if (result.closingTestPoint) endFile(result.ok);
          // A process that ends early reports each file that it did not run.
          else if (!result.ok && ![...waiting].some((file) => result.name.endsWith(file))) {
            this.fail(`after ${files.join(', ')}: ${result.name}`, describe(result, files.join(' ')));
          }
        });
      },
      end: ({ isOk, exit }) => {
        endFile(false, exit);
        const isIdle = waiting.size === files.length;
        if (isIdle || (!isOk && this.failed === failedBefore)) this.fail(files.join(', '), `the process ${exit}`);
        return isIdle ? [] : [...waiting];
      },
    };
  }

  /** Counts a failure and prints it. */
  fail(name: string, details: string): void {
    this.failed += 1;
    this.#show(name, details);
  }

  report(seconds: number): string {
    const skips = this.#skips.map((skip) => `SKIPPED ${skip}\n`).join('');
    const failures = this.#failures.map((failure) => `FAILED  ${failure}\n`).join('');
    const byDatabase = [...this.#passedByDatabase].map(([name, passed]) => `${passed} on ${name}`).join(', ');
    const databases = `Of these ${byDatabase || 'none on a database'}; ${seconds.toFixed(0)} s.`;
    const slowest = Object.entries(this.durationsMs)
      .sort(([, one], [, other]) => other - one)
      .slice(0, SLOWEST)
      .map(([file, durationMs]) => `${file} ${(durationMs / 1000).toFixed(0)} s`);
    return `\n${skips}${failures}Slowest: ${slowest.join(', ')}\n${databases}\n${this.passed} passed, ${this.failed} failed\n`;
  }

  #follow(parser: Parser, path: readonly string[]): Seen {
    const seen: Seen = { asserts: 0, children: 0, failed: 0 };
    const children = new Map<string, Seen>();
    parser.on('child', (child: Parser) => {
      seen.children += 1;
      children.set(child.name, this.#follow(child, [...path, child.name]));
    });
    parser.on('assert', (result: Result) => {
      if (!result.closingTestPoint) {
        seen.asserts += 1;
        if (result.skip) this.#skips.push(`${[...path, result.name].join(' > ')} (${String(result.skip)})`);
        if (!result.ok) this.#show([...path, result.name].join(' > '), describe(result, path[0] ?? ''));
        return;
      }
      const child = children.get(result.name.trim());
      seen.asserts += child?.asserts ?? 0;
      seen.failed += child?.failed ?? 0;
      if (!child || child.children === 0) this.#endTest([...path, result.name], result.ok);
      else if (!result.ok && child.failed === 0) this.failed += 1;
      else return;
      if (!result.ok) seen.failed += 1;
    });
    return seen;
  }

  #show(name: string, details: string): void {
    this.#failures.push(name);
    process.stdout.write(`\nFAILED  ${name}\n${details.replace(/^/gm, '    ')}\n\n`);
  }

  #endTest(path: readonly string[], isOk: boolean): void {
    if (!isOk) {
      this.failed += 1;
      return;
    }
    this.passed += 1;
    const database = /\[(sqlite|postgres)\]/.exec(path.join(' '))?.[1];
    if (database) this.#passedByDatabase.set(database, (this.#passedByDatabase.get(database) ?? 0) + 1);
  }
}

/** What differs, where, and the command that runs the file alone. */
function describe({ diag }: Result, file: string): string {
  const { diff, at, stack, ...others } = (diag ?? {}) as Record<string, unknown>;
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => name !== 'source'));
  const place = at as { readonly fileName?: string; readonly lineNumber?: number } | undefined;
  const parts = [
    typeof diff === 'string' ? diff.trimEnd() : '',
    Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : '',
    typeof stack === 'string' ? stack.trimEnd() : place?.fileName ? `at ${place.fileName}:${place.lineNumber}` : '',
    `make test FILES=${file}`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}
