import fc from 'fast-check';
import t from 'tap';
import { FoldedText } from '../../../src/scanner/parsers/folded-text.js';

/** Letters and the white space of several alphabets, in pieces of which some are long enough to be folded at once. */
const character = fc.constantFrom(
  'a',
  'ä',
  ' ',
  '  ',
  '\n',
  '\t',
  '\r\n',
  '\u00a0',
  '\u2003',
  '\ufeff',
  ' '.repeat(9000),
);
const pieces = fc.array(fc.array(character, { maxLength: 12 }).map((parts) => parts.join('')));

t.test('each run of white space becomes one space, and none is left at the ends, however the text comes', async (t) => {
  fc.assert(
    fc.property(pieces, (texts) => {
      const folded = new FoldedText();
      for (const text of texts) folded.add(text);
      return folded.toString() === texts.join('').replaceAll(/\s+/g, ' ').trim();
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
  t.pass('500 texts');
});
