interface RegexMutation {
  readonly text: string;
  readonly what: string;
}

/** Each takes the first place that it fits: what it does to the source of a pattern. */
const CHANGES: readonly (readonly [what: string, place: RegExp, replacement: string])[] = [
  ['^ dropped', /^\^/, ''],
  ['$ dropped', /(?<!\\)\$$/, ''],
  ['[^ → [', /(?<!\\)\[\^/, '['],
  ['+ → *', /(?<=[\])\w])\+(?![^[]*\])/, '*'],
  ['* → +', /(?<=[\])\w])\*(?![^[]*\])/, '+'],
  ['? dropped', /(?<=[\])\w])\?(?![^[]*\])/, ''],
  ['\\d → \\D', /\\d/, '\\D'],
  ['\\s → \\S', /\\s/, '\\S'],
  ['(?= → (?!', /\(\?=/, '(?!'],
  ['(?! → (?=', /\(\?!/, '(?='],
  ['first way of | dropped', /(?<=^|\(\?:)(?:[^()[\]|\\]|\\.)+\|/, ''],
  ['last way of | dropped', /(?<!\\)\|(?:[^()[\]|\\]|\\.)+(?=$|\))/, ''],
];

/** Mutations of a regular expression's source, such as `/^a+$/i`, that are regular expressions again. */
export function regexMutations(source: string): RegexMutation[] {
  const end = source.lastIndexOf('/');
  const [pattern, flags] = [source.slice(1, end), source.slice(end + 1)];
  const mutations = CHANGES.map(([what, place, replacement]) => ({
    text: `/${pattern.replace(place, () => replacement)}/${flags}`,
    what: `in a pattern: ${what}`,
  }));
  if (flags.includes('i')) mutations.push({ text: `/${pattern}/${flags.replace('i', '')}`, what: 'flag i dropped' });
  return mutations.filter(({ text }) => text !== source && isPattern(text));
}

function isPattern(source: string): boolean {
  const end = source.lastIndexOf('/');
  try {
    return new RegExp(source.slice(1, end), source.slice(end + 1)).source !== '(?:)';
  } catch {
    return false;
  }
}
