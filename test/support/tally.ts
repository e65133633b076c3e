import type { Parser, Result } from 'tap-parser';

interface Seen {
  asserts: number;
  children: number;
  failed: number;
}

/** The number of files that a report names as the slowest. */
const SLOWEST = 5;

/** Counts the results of the test files, and prints failures as they come. */
export class Tally {
  passed = 0;
  failed = 0;
  readonly durationsMs: Record<string, number> = {};
  readonly #notes: string[] = [];

  /** Follows the report of a process that runs these files. Returns what to call once it has ended, with its end in words. */
  begin(files: readonly string[], parser: Parser): (isOk: boolean, exit: string) => void {
    const notRun = new Set(files);
    const failedBefore = this.failed;
    let startedMs = 0;
    let seen: Seen = { asserts: 0, children: 0, failed: 0 };
    parser.on('child', (child: Parser) => {
      startedMs = Date.now();
      seen = this.#follow(child, [child.name]);
    });
    parser.on('assert', (result: Result) => {
      const { closingTestPoint, ok, name } = result;
      const file = name.trim();
      if (!closingTestPoint && !ok) this.#show(name, describe(result, files.join(' ')));
      if (!closingTestPoint || !notRun.delete(file)) return;
      const durationMs = Date.now() - startedMs;
      this.durationsMs[file] = durationMs;
      if (seen.asserts === 0) this.fail(file, 'ran no assertion');
      else if (!ok && seen.failed === 0) this.fail(file, 'failed outside of a test');
      process.stdout.write(`${ok && seen.asserts > 0 ? 'ok    ' : 'FAILED'}  ${file} (${durationMs} ms)\n`);
    });
    return (isOk, exit) => {
      if (notRun.size > 0) this.fail([...notRun].join(', '), `the process ${exit} before these files had ended`);
      else if (!isOk && this.failed === failedBefore) this.fail(files.join(', '), `the process ${exit}`);
    };
  }

  /** Counts a failure and prints it. */
  fail(name: string, details: string): void {
    this.failed += 1;
    this.#show(name, details);
  }

  report(seconds: number): string {
    const slowest = Object.entries(this.durationsMs)
      .sort(([, one], [, other]) => other - one)
      .slice(0, SLOWEST)
      .map(([file, durationMs]) => `${file} ${(durationMs / 1000).toFixed(0)} s`);
    const lines = [...this.#notes, `Slowest: ${slowest.join(', ')}; all ${seconds.toFixed(0)} s`];
    return `\n${lines.join('\n')}\n${this.passed} passed, ${this.failed} failed\n`;
  }

  #follow(parser: Parser, path: readonly string[]): Seen {
    const seen: Seen = { asserts: 0, children: 0, failed: 0 };
    let child: Seen | undefined;
    parser.on('child', (inner: Parser) => {
      seen.children += 1;
      child = this.#follow(inner, [...path, inner.name]);
    });
    parser.on('assert', (result: Result) => {
      const name = [...path, result.name.trim()].join(' > ');
      if (!result.closingTestPoint) {
        seen.asserts += 1;
        if (result.skip) this.#notes.push(`SKIPPED ${name} (${String(result.skip)})`);
        if (!result.ok) this.#show(name, describe(result, path[0] ?? ''));
        return;
      }
      seen.asserts += child?.asserts ?? 0;
      seen.failed += child?.failed ?? 0;
      const isLowest = child?.children === 0;
      if (isLowest && result.ok) this.passed += 1;
      // The failure of a test above is that of a lower one, unless none failed.
      if (!result.ok && (isLowest || child?.failed === 0)) {
        this.failed += 1;
        seen.failed += 1;
      }
    });
    return seen;
  }

  #show(name: string, details: string): void {
    this.#notes.push(`FAILED  ${name}`);
    process.stdout.write(`\nFAILED  ${name}\n${details.replace(/^/gm, '    ')}\n\n`);
  }
}

/** Returns what differs, where, and the command that runs the file alone. */
function describe({ diag }: Result, file: string): string {
  const { diff = '', at, stack = '', source: _, ...rest } = (diag ?? {}) as Record<string, unknown>;
  const { fileName, lineNumber } = (at ?? {}) as { readonly fileName?: string; readonly lineNumber?: number };
  const place = stack || (fileName === undefined ? '' : `at ${fileName}:${lineNumber}`);
  const parts = [
    diff,
    Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : '',
    place,
    `make test FILES=${file}`,
  ];
  return parts
    .map((part) => String(part).trimEnd())
    .filter((part) => part !== '')
    .join('\n');
}
