import fc from 'fast-check';

/**
 * Texts of any code points, lone surrogates among them. fast-check's own texts of the unit "binary" are made of a table of a million
 * entries, which takes a second of each process.
 */
export function textOfAnyCodePoints(maxLength: number): fc.Arbitrary<string> {
  return fc
    .array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength })
    .map((points) => String.fromCodePoint(...points));
}
