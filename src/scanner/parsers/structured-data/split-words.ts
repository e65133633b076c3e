import { Parser } from 'htmlparser2';
import { foldCase } from './fold-case.js';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Runs of scripts that write words without spaces, or attach endings to them. */
const UNSPACED_RUN =
  /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)/u;

/** Ordering a long run of combining marks takes time quadratic in its length. */
const MARKS_RUN = /(\p{M}{8})\p{M}+/gu;

/**
 * The distinct words of a text, for comparing two texts: NFKC, one case, no accents, no soft hyphens and the like, letters and
 * digits only, so that kinds of quotes, dashes and spaces, or the styling of a heading, do not matter. In unspaced scripts two
 * neighbouring characters count as a word; a single one says too little.
 */
export function splitWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of foldCase(text.replaceAll(MARKS_RUN, '$1')).matchAll(WORD)) {
    // Splitting by a capturing group puts the unspaced runs at the odd indexes.
    for (const [index, part] of word.split(UNSPACED_RUN).entries()) {
      if (index % 2 === 1) addPairs(part, words);
      else if (part !== '') words.add(part);
    }
  }
  return words;
}

function addPairs(run: string, words: Set<string>): void {
  let previous = '';
  for (const character of run) {
    if (previous !== '') words.add(previous + character);
    previous = character;
  }
}

/** The visible text of a value written as HTML: entities decoded, tags removed. */
export function decodeMarkup(value: string): string {
  if (!/[&<]/.test(value)) return value;
  let text = '';
  const parser = new Parser({ ontext: (chunk) => (text += chunk) }, { decodeEntities: true });
  parser.end(value);
  return text;
}
