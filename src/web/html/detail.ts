import type { Finding } from '../../scanner/verdict/finding.js';

/** Where a sentence ends. */
const END = /\.(?= \p{Lu})/gu;

/**
 * The first sentences of what a finding says, in so many characters, and those for which there is no room. A sentence is never cut:
 * one that is longer stands alone.
 */
export function partDetail(
  { detail }: Pick<Finding, 'detail'>,
  charsMax: number,
): readonly [lead: string, rest: string] {
  const text = wholeSentences(detail ?? '');
  const ends = [...endsOf(text), text.length];
  const end = ends.findLast((at) => at <= charsMax) ?? ends[0];
  return [text.slice(0, end), text.slice(end ?? text.length).trim()];
}

/** A detail was cut where it was longer than one may be: of several sentences, the last, which has no end, is left out. */
function wholeSentences(text: string): string {
  return text.endsWith('…') ? text.slice(0, endsOf(text).at(-1)) : text;
}

function endsOf(text: string): number[] {
  return [...text.matchAll(END)].map(({ index }) => index + 1);
}

/** A sentence in two, after a word, in so many characters; quoted code stays whole. The second part is empty where it is that short. */
export function partSentence(sentence: string, charsMax: number): readonly [lead: string, rest: string] {
  if (sentence.length <= charsMax) return [sentence, ''];
  const isOutside = (at: number): boolean => sentence.slice(0, at).split('"').length % 2 === 1;
  const ends = [...sentence.matchAll(/ /g)].map(({ index }) => index);
  const end = ends.findLast((at) => at <= charsMax && isOutside(at)) ?? sentence.length;
  return [sentence.slice(0, end), sentence.slice(end)];
}
