import type { SchemaNode, StructuredPage } from '../../evidence/structured-data.js';
import type { SafeText } from '../../evidence/safe-text.js';
import { safeText } from '../../evidence/safe-text.js';
import { describeNode } from './positions.js';

/** One place where the markup departs from the vocabulary or from the page. The words are made only when they are shown. */
export interface Mismatch {
  readonly page: StructuredPage;
  readonly node: SchemaNode;
  readonly describe: () => SafeText;
}

/** "At sample 1 (home page), block 1, node 0: …." */
export function describeMismatch({ page, node, describe }: Mismatch): SafeText {
  return safeText`At ${describeNode(page, node)}: ${describe()}.`;
}
