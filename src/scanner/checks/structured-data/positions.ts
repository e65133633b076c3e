import type { SchemaNode, StructuredData, StructuredPage } from '../../artifacts/structured-data.js';
import type { Verdict } from '../../verdict/verdict.js';
import { notApplicable } from '../../verdict/verdict.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { joinSafeText, pointTo, term, safeText } from '../../artifacts/safe-text.js';

/** "sample 2 (home link 12)". */
export function describePage({ page }: StructuredPage): SafeText {
  return safeText`sample ${page.position} (${page.origin})`;
}

/** "sample 2 (home link 12), block 1", which points to a character of it. */
export function describeBlock(page: StructuredPage, block: number, offset = 0): SafeText {
  const script = page.page.facts.jsonLd.find(({ position }) => position === block);
  const places = script ? [{ file: page.page.url, at: { text: script.text, offset } }] : [];
  return pointTo(safeText`${describePage(page)}, block ${block}`, ...places);
}

/** How many steps of a path are named. A site chooses where its nodes are: a longer series of numbers could encode letters. */
const STEPS_MAX = 4;

/**
 * "sample 2 (home link 12), block 1, node 0/3": the path down from the block's first level, where each step is the node's
 * position (from 0) among its siblings. A deep path shows only its start and end: "node 0/3/1/.../2".
 */
export function describeNode(page: StructuredPage, node: SchemaNode): SafeText {
  const path: SafeText[] = [];
  for (let step: SchemaNode | null = node; step; step = step.parent) path.unshift(safeText`${step.index}`);
  const named = path.length > STEPS_MAX ? [...path.slice(0, STEPS_MAX - 1), term('...'), ...path.slice(-1)] : path;
  return safeText`${describeBlock(page, node.block, node.offset)}, node ${joinSafeText(named, '/')}`;
}

/** What JSON-LD may be written in that is not read. */
export const UNREAD_FORMS = term(
  'maps by index, id or type, named graphs, and contexts that hold for one term or one type only',
);

/** Whether a node uses any schema.org term. */
export function isSchemaNode({ types, properties, unreadProperties }: SchemaNode): boolean {
  return types.length > 0 || properties.length > 0 || unreadProperties.length > 0;
}

/** The verdict of checks on schema.org nodes if there are none; null if there are some. */
export function withoutNodes({ pages }: StructuredData): Verdict<never> | null {
  if (pages.some(({ nodes }) => nodes.some(isSchemaNode))) return null;
  return notApplicable(safeText`No sampled page has a schema.org node in JSON-LD that can be read (see C-SD-01).`);
}
