import type { SchemaNode, StructuredPage } from '../../artifacts/structured-data.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { safeText } from '../../artifacts/safe-text.js';
import { describeNode } from './positions.js';

/** One place where the markup contradicts the vocabulary or the page. Its description is built only when shown. */
export interface Mismatch {
  readonly page: StructuredPage;
  readonly node: SchemaNode;
  /** A type or property that is misspelt: what it was meant to say is not known to any reader. */
  readonly isMisspelling: boolean;
  readonly describe: () => SafeText;
}

/** "At sample 1 (home page), block 1, node 0: …." */
export function describeMismatch({ page, node, describe }: Mismatch): SafeText {
  return safeText`At ${describeNode(page, node)}: ${describe()}.`;
}
