import type { SchemaNode, StructuredData, StructuredPage } from '../../artifacts/structured-data.js';
import type { Verdict } from '../../verdict/verdict.js';
import { notApplicable } from '../../verdict/verdict.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { listed, type Place, pointTo, term, safeText } from '../../artifacts/safe-text.js';
import { namePage, namePageFirst } from '../../artifacts/page-name.js';
import { schemaOrg } from '../../artifacts/schema-org.js';

/** "home page, block 1", which points to a character of it. */
export function describeBlock({ page }: StructuredPage, block: number, offset = 0): SafeText {
  return pointTo(safeText`${namePage(page)}, block ${block}`, ...pointsIn(page, block, offset));
}

/** The block in which a node is, at the start of a sentence: "Home page, block 1", which points to the node. */
export function describePlace({ page }: StructuredPage, { block, offset }: SchemaNode): SafeText {
  return pointTo(safeText`${namePageFirst(page)}, block ${block}`, ...pointsIn(page, block, offset));
}

function pointsIn({ url, facts }: StructuredPage['page'], block: number, offset: number): Place[] {
  const script = facts.jsonLd.find(({ position }) => position === block);
  return script ? [{ file: url, at: { text: script.text, offset } }] : [];
}

/** "the Offer": what a node is by its first type that schema.org knows; null where it has none. */
export function describeType({ types }: SchemaNode): SafeText | null {
  const { types: known } = schemaOrg();
  const name = types.flatMap((type) => listed(type.name, known) ?? [])[0];
  return name === undefined ? null : safeText`the ${name}`;
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
  return notApplicable(safeText`No page that was read has a schema.org item in JSON-LD (see C-SD-01).`);
}
