import type { Finding } from '../../../scanner/verdict/finding.js';

/**
 * The first sentences of what a finding says, in so many characters, and those for which there is no room. A sentence is never cut:
 * one that is longer stands alone.
 */
export function partDetail(
  { detail }: Pick<Finding, 'detail'>,
  charsMax: number,
): readonly [lead: string, rest: string] {
  const text = detail ?? '';
  const ends = [...text.matchAll(/\.(?= \p{Lu})/gu)].map(({ index }) => index + 1);
  const end = [...ends, text.length].findLast((at) => at <= charsMax) ?? ends[0];
  return [text.slice(0, end), text.slice(end ?? text.length).trim()];
}
