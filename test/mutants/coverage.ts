import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What V8 writes to the folder that NODE_V8_COVERAGE names, one file a process. */
interface V8Report {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** Ranges of one module in one process, three numbers each: start, end, how often it ran. The narrowest one counts. */
type Ranges = Int32Array;

/** Which places of a compiled tree's `src` ran. */
export class Coverage {
  readonly #modules = new Map<string, Ranges[]>();

  constructor(folder: string, tree: string) {
    for (const name of readdirSync(folder)) {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as V8Report;
      for (const { url, functions } of result) {
        const module = url.startsWith('file:') ? relative(tree, fileURLToPath(url)) : '';
        if (!module.startsWith('src/')) continue;
        const ranges = functions.flatMap((one) => one.ranges);
        const flat = Int32Array.from(
          ranges.flatMap(({ startOffset, endOffset, count }) => [startOffset, endOffset, count]),
        );
        this.#modules.set(module, [...(this.#modules.get(module) ?? []), flat]);
      }
    }
  }

  has(module: string, offset: number): boolean {
    return (this.#modules.get(module) ?? []).some((ranges) => countAt(ranges, offset) > 0);
  }
}

function countAt(ranges: Ranges, offset: number): number {
  let width = Infinity;
  let count = 0;
  for (let at = 0; at < ranges.length; at += 3) {
    const [start = 0, end = 0, times = 0] = ranges.subarray(at, at + 3);
    if (start > offset || end <= offset || end - start > width) continue;
    width = end - start;
    count = times;
  }
  return count;
}

/** Where two texts begin to differ. */
export function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
