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

/** Other: another error type, or PASS where the check does not apply, or the reverse. */
const OUTCOMES = ['right', 'false alarms', 'missed', 'undetermined', 'other'] as const;

export function outcomeOf({ expected, found }: Row): (typeof OUTCOMES)[number] {
  const isFail = (verdict: string): boolean => verdict.startsWith('FAIL');
  if (expected.includes(found) || (isFail(found) && expected.includes('FAIL'))) return 'right';
  if (found === 'UNDETERMINED') return 'undetermined';
  if (isFail(found)) return expected.some(isFail) ? 'other' : 'false alarms';
  return found === 'PASS' && expected.every(isFail) ? 'missed' : 'other';
}

/** A Markdown table of how many rows have which outcome, by check and in all. */
export function formatTable(rows: readonly Row[]): string {
  const byCheck = [...Map.groupBy(rows, ({ checkId }) => checkId)].sort(([one], [other]) => one.localeCompare(other));
  const count = (name: string, judged: readonly Row[]): string[] => {
    const outcomes = judged.map(outcomeOf);
    const counts = OUTCOMES.map((outcome) => outcomes.filter((one) => one === outcome).length);
    return [name, ...[judged.length, ...counts].map(String)];
  };
  const header = ['check', 'judged', ...OUTCOMES];
  const cells = [header, ...byCheck.map(([checkId, judged]) => count(checkId, judged)), count('all', rows)];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const format = (row: readonly string[]): string => {
    const padded = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  };
  return [header, rule, ...cells.slice(1)].map(format).join('\n');
}
