import type { SchemaNode, StructuredPage } from '../../evidence/structured-data.js';
import type { Words } from '../../evidence/words.js';
import { words } from '../../evidence/words.js';
import { describeNode } from './positions.js';

/** One place where the markup departs from the vocabulary or from the page. The words are made only when they are shown. */
export interface Mismatch {
  readonly page: StructuredPage;
  readonly node: SchemaNode;
  readonly describe: () => Words;
}

/** "At sample 1 (home page), block 1, node 0: …." */
export function describeMismatch({ page, node, describe }: Mismatch): Words {
  return words`At ${describeNode(page, node)}: ${describe()}.`;
}
