/** A longer name is not treated as a misspelling. This also bounds the time. */
const NAME_CHARS_MAX = 60;

/** Most edits between a name and the intended term: one in three characters, at most 2. */
const EDITS_MAX = 2;

/** The vocabulary term nearest to `name` by edit distance (wrong case is nearest), or null if none is near. */
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
 * Counts insertions, deletions, substitutions and swaps of neighbours between two short names (optimal string alignment). Returns a number
 * above `editsMax` as soon as the limit is certain to be exceeded.
 */
function countEdits(a: string, b: string, editsMax: number): number {
  if (Math.abs(a.length - b.length) > editsMax) return editsMax + 1;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const edits = Math.min((row[j - 1] ?? 0) + (isSame ? 0 : 1), (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next.push(isSwap ? Math.min(edits, (before[j - 2] ?? 0) + 1) : edits);
    }
    if (Math.min(...next) > editsMax) return editsMax + 1;
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
