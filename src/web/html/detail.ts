import type { Finding } from '../../scanner/verdict/finding.js';

const SENTENCE_END = /\.(?= \p{Lu})/gu;

/** Splits a detail into its first sentences, at most `charsMax` characters, and the others. A longer first sentence stays whole. */
export function splitDetail(
  { detail }: Pick<Finding, 'detail'>,
  charsMax: number,
): readonly [lead: string, rest: string] {
  const text = wholeSentences(detail ?? '');
  const ends = [...endsOf(text), text.length];
  const end = ends.findLast((at) => at <= charsMax) ?? ends[0];
  return [text.slice(0, end), text.slice(end ?? text.length).trim()];
}

/** Leaves out the last sentence of a detail that was cut at its maximum length. */
function wholeSentences(text: string): string {
  return text.endsWith('…') ? text.slice(0, endsOf(text).at(-1)) : text;
}

function endsOf(text: string): number[] {
  return [...text.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
}

/** Splits a sentence after a word, but not within quoted code. The second part is empty for a short sentence. */
export function splitSentence(sentence: string, charsMax: number): readonly [lead: string, rest: string] {
  if (sentence.length <= charsMax) return [sentence, ''];
  const isOutside = (at: number): boolean => sentence.slice(0, at).split('"').length % 2 === 1;
  const ends = [...sentence.matchAll(/ /g)].map(({ index }) => index);
  const end = ends.findLast((at) => at <= charsMax && isOutside(at)) ?? sentence.length;
  return [sentence.slice(0, end), sentence.slice(end)];
}
