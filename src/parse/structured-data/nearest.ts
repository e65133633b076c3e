/** Longer names are no misspelling of ours; the bound also keeps what a site writes from costing time. */
const NAME_CHARS_MAX = 60;

/** Most edits between a name and the term that was meant: one in three characters, at most 3. */
const EDITS_MAX = 3;

/** The term of the vocabulary that is nearest to `name` by edit distance (wrong case is nearest), or null when none is near. */
export function findNearest(name: string, vocabulary: Iterable<string>): string | null {
  if (name.length > NAME_CHARS_MAX) return null;
  const lower = name.toLowerCase();
  let nearest: string | null = null;
  let editsMax = Math.min(EDITS_MAX, Math.floor(name.length / 3));
  for (const term of vocabulary) {
    const edits = countEdits(lower, term.toLowerCase(), editsMax);
    if (edits > editsMax) continue;
    nearest = term;
    if (edits === 0) break;
    editsMax = edits - 1;
  }
  return nearest;
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours between two short names (optimal string alignment); a
 * number above `editsMax` as soon as it cannot be kept any more.
 */
function countEdits(a: string, b: string, editsMax: number): number {
  if (Math.abs(a.length - b.length) > editsMax) return editsMax + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : substitution;
      next.push(Math.min(substitution, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > editsMax) return editsMax + 1;
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
