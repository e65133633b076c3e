import type { SchemaNode, StructuredData, StructuredPage } from '../../evidence/structured-data.js';
import type { Verdict } from '../../findings/verdict.js';
import { notApplicable } from '../../findings/verdict.js';
import type { SafeText } from '../../evidence/safe-text.js';
import { joinSafeText, term, safeText } from '../../evidence/safe-text.js';

/** "sample 2 (home link 12)". */
export function describePage({ page }: StructuredPage): SafeText {
  return safeText`sample ${page.position} (${page.origin})`;
}

/** "sample 2 (home link 12), block 1". */
export function describeBlock(page: StructuredPage, block: number): SafeText {
  return safeText`${describePage(page)}, block ${block}`;
}

/**
 * Steps of a path that are named. A site chooses at which places its nodes stand: a longer row of numbers could be read as the
 * codes of letters.
 */
const STEPS_MAX = 4;

/**
 * "sample 2 (home link 12), block 1, node 0/3": the path from the block's first level down, each step the position
 * (from 0) of the node among those of its parent. Of a deep one the start and the end: "node 0/3/1/.../2".
 */
export function describeNode(page: StructuredPage, node: SchemaNode): SafeText {
  const path: SafeText[] = [];
  for (let step: SchemaNode | null = node; step; step = step.parent) path.unshift(safeText`${step.index}`);
  const named = path.length > STEPS_MAX ? [...path.slice(0, STEPS_MAX - 1), term('...'), ...path.slice(-1)] : path;
  return safeText`${describeBlock(page, node.block)}, node ${joinSafeText(named, '/')}`;
}

/** Whether a node says anything in the words of schema.org. */
export function isSchemaNode({ types, properties }: SchemaNode): boolean {
  return types.length > 0 || properties.length > 0;
}

/** The verdict of the checks that ask about schema.org nodes where there is none; null where there is one. */
export function withoutNodes({ pages }: StructuredData): Verdict<never> | null {
  if (pages.some(({ nodes }) => nodes.some(isSchemaNode))) return null;
  return notApplicable(safeText`No sampled page has a schema.org node in JSON-LD that can be read (see C-SD-01).`);
}
