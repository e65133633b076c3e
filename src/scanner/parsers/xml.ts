import { SaxesParser } from 'saxes';

const NOT_WELL_FORMED = new Error('not well-formed');

/** The root element of a document. */
interface Root {
  /** With its prefix, if it has one. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Returns the root of a well-formed XML document; null for anything else. Builds no tree, and expands only XML's own entities. */
export function rootOf(xml: string): Root | null {
  const parser = new SaxesParser();
  let root: Root | null = null;
  parser.on('error', () => {
    throw NOT_WELL_FORMED;
  });
  parser.on('opentag', (tag) => (root ??= tag));
  try {
    parser.write(xml).close();
  } catch (error) {
    if (error === NOT_WELL_FORMED) return null;
    throw error;
  }
  return root;
}
