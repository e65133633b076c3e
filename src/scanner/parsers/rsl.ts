import { SaxesParser } from 'saxes';

const DEPTH_MAX = 64;
const ATTRIBUTES_MAX = 64;
const NAMESPACE = 'https://rslstandard.org/rsl';

/** Leaves the parser, which would otherwise continue. */
const NO_RSL = new Error('not a document of RSL');

/**
 * Whether a text is a document of RSL 1.0: well-formed XML whose root is `rsl`, in its namespace or in none. Builds no tree, expands
 * only XML's own entities, and gives up at a DOCTYPE. The client's limit bounds the text.
 */
export function isRsl(text: string): boolean {
  const parser = new SaxesParser();
  const stop = (): never => {
    throw NO_RSL;
  };
  let depth = 0;
  let attributeCount = 0;
  parser.on('error', stop);
  parser.on('doctype', stop);
  parser.on('opentagstart', () => (attributeCount = 0));
  parser.on('attribute', () => {
    attributeCount += 1;
    if (attributeCount > ATTRIBUTES_MAX) stop();
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (depth === 0 && !isRoot(name, attributes)) stop();
    depth += 1;
    if (depth > DEPTH_MAX) stop();
  });
  parser.on('closetag', () => (depth -= 1));
  try {
    parser.write(text).close();
    return true;
  } catch (error) {
    if (error === NO_RSL) return false;
    throw error;
  }
}

function isRoot(name: string, attributes: Readonly<Record<string, string>>): boolean {
  const [local = '', prefix] = name.split(':', 3).reverse();
  const namespace = attributes[prefix === undefined ? 'xmlns' : `xmlns:${prefix}`];
  return local === 'rsl' && (namespace === undefined || namespace.replace(/\/$/, '') === NAMESPACE);
}
