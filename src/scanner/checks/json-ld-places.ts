import { namePage, namePageFirst } from '../artifacts/pages.js';
import { findTerm, listSafeText, addPlaces, safeText, type Place, type SafeText } from '../artifacts/safe-text.js';
import { schemaOrg } from '../artifacts/schema-org.js';
import type { JsonLdBlock, SchemaNode, StructuredData, StructuredPage } from '../artifacts/structured-data.js';
import { notApplicable, undetermined, type Verdict } from '../verdict/verdict.js';

/** Names a block: "home page, block 1". Points to the character at `offset`. */
export function describeBlock({ page }: StructuredPage, block: number, offset = 0): SafeText {
  return addPlaces(safeText`${namePage(page)}, block ${block}`, ...findPlace(page, block, offset));
}

/** Names the blocks of a page that are in this state. */
export function describeBlocks(page: StructuredPage, state: JsonLdBlock['kind']): SafeText[] {
  return page.blocks.filter(({ kind }) => kind === state).map(({ position }) => describeBlock(page, position));
}

/** Names the block of a node at the start of a sentence: "Home page, block 1". Points to the node. */
export function describePlace({ page }: StructuredPage, { block, offset }: SchemaNode): SafeText {
  return addPlaces(safeText`${namePageFirst(page)}, block ${block}`, ...findPlace(page, block, offset));
}

function findPlace({ url, facts }: StructuredPage['page'], block: number, offset: number): Place[] {
  const script = facts.jsonLd.find(({ position }) => position === block);
  return script ? [{ file: url, at: { text: script.text, offset } }] : [];
}

/** Names a node by its first type that schema.org knows: "the Offer". Null if it has none. */
export function describeType({ types }: SchemaNode): SafeText | null {
  const vocabulary = schemaOrg().types;
  const name = types.flatMap((type) => findTerm(type.name, vocabulary) ?? [])[0];
  return name === undefined ? null : safeText`the ${name}`;
}

/** Names the blocks in a form of JSON-LD that we do not read; null if there are none. */
export function describeOtherForms(pages: readonly StructuredPage[]): SafeText | null {
  const blocks = pages.flatMap((page) => describeBlocks(page, 'otherForm'));
  if (blocks.length === 0) return null;
  return safeText`Not read, because @context defines custom terms, or an item contains @nest or @graph: ${listSafeText(blocks)}.`;
}

/** True if a node uses any schema.org term. */
export function isSchemaNode({ types, properties }: SchemaNode): boolean {
  return types.length > 0 || properties.length > 0;
}

/** Returns the verdict of checks on schema.org nodes if there are no nodes, otherwise null. */
export function judgeWithoutNodes({ pages }: StructuredData): Verdict<never> | null {
  if (pages.some(({ nodes }) => nodes.some(isSchemaNode))) return null;
  const otherForms = describeOtherForms(pages);
  if (otherForms) return undetermined(safeText`The blocks that we could read contain no schema.org item.`, otherForms);
  return notApplicable(safeText`None of the pages that we read has a schema.org item in JSON-LD (see C-SD-01).`);
}
