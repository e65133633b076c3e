/** A longer name is not treated as a misspelling; this also bounds the time that a site's names can cost. */
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

/** The last two rows of the table of {@link countEdits}, and the current one: allocated once, since they are used so often. */
const newRow = (): Uint8Array => new Uint8Array(NAME_CHARS_MAX + EDITS_MAX + 1);
let [before, row, next] = [newRow(), newRow(), newRow()];

/**
 * Insertions, deletions, substitutions and swaps of neighbours between two short names (optimal string alignment); a number above
 * `editsMax` as soon as the limit is certain to be exceeded.
 */
function countEdits(a: string, b: string, editsMax: number): number {
  if (Math.abs(a.length - b.length) > editsMax) return editsMax + 1;
  for (let j = 0; j <= b.length; j += 1) row[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    next[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let edits = Math.min((row[j - 1] ?? 0) + (isSame ? 0 : 1), (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      // Before the first character, charCodeAt gives NaN, which equals nothing.
      const isSwap = a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwap) edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      next[j] = edits;
      least = Math.min(least, edits);
    }
    if (least > editsMax) return editsMax + 1;
    [before, row, next] = [row, next, before];
  }
  return row[b.length] ?? 0;
}
