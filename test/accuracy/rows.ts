/** One judgement with its label. */
export interface Row {
  /** What was judged, such as `llms-announced-in-header` or `sites/shop /llms.txt`. */
  readonly id: string;
  /** A check of ours, or the part of one that the label is about. */
  readonly checkId: string;
  /** Every right answer: a result, with the error type of a FAIL. A FAIL alone stands for each of its types. */
  readonly expected: readonly string[];
  readonly found: string;
}

export interface Count {
  judged: number;
  right: number;
  falseFail: number;
  falsePass: number;
  undetermined: number;
  /** Another error type, or PASS where the check does not apply, or the reverse. */
  other: number;
}

type Outcome = Exclude<keyof Count, 'judged'>;

export function outcomeOf({ expected, found }: Pick<Row, 'expected' | 'found'>): Outcome {
  const isFail = (verdict: string): boolean => verdict.startsWith('FAIL');
  if (expected.includes(found) || (isFail(found) && expected.includes('FAIL'))) return 'right';
  if (found === 'UNDETERMINED') return 'undetermined';
  if (isFail(found)) return expected.some(isFail) ? 'other' : 'falseFail';
  return found === 'PASS' && expected.every(isFail) ? 'falsePass' : 'other';
}

/** The counts by check, in the order of their ids. */
export function countRows(rows: readonly Row[]): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>();
  for (const row of rows.toSorted((one, other) => one.checkId.localeCompare(other.checkId))) {
    const count = counts.get(row.checkId) ?? NOTHING();
    count.judged += 1;
    count[outcomeOf(row)] += 1;
    counts.set(row.checkId, count);
  }
  return counts;
}

const NOTHING = (): Count => ({ judged: 0, right: 0, falseFail: 0, falsePass: 0, undetermined: 0, other: 0 });

const HEADER = ['check', 'judged', 'right', 'false alarms', 'missed', 'undetermined', 'other'];

/** The counts as a Markdown table, with their sum. */
export function formatCounts(counts: ReadonlyMap<string, Count>): string {
  const sum = NOTHING();
  for (const count of counts.values()) {
    for (const key of Object.keys(sum) as (keyof Count)[]) sum[key] += count[key];
  }
  const cells = [...counts, ['all', sum] as const].map(([id, count]) => [id, ...Object.values(count).map(String)]);
  const widths = HEADER.map((title, index) => Math.max(title.length, ...cells.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(HEADER), line(rule), ...cells.map(line)].join('\n');
}
