/**
 * One case, without accents, soft hyphens and the like. Upper case first: it unifies ß with SS, and ı with I. Recomposed afterwards, since
 * decomposed Hangul would give letters instead of syllables.
 */
export function foldCase(text: string): string {
  const bare = text
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\p{Mn}\p{Cf}]/gu, '');
  return bare.normalize('NFC');
}
