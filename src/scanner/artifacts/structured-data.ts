import type { LinkState } from './llms.js';
import type { SamplePage } from './pages.js';

/** A schema.org name as written on a page; the checks decide whether schema.org defines it. */
export interface SchemaTerm {
  readonly name: string;
  /**
   * True if no other vocabulary can have defined the name: it has no prefix, and every context in force is schema.org's or was read
   * completely. Only such a name can be reported as unknown.
   */
  readonly isCertain: boolean;
}

/** A value, with arrays and `@value` unwrapped. `true` also means a value that we do not read (`@json`). */
export type SchemaValue = string | number | boolean | SchemaNode;

export interface SchemaProperty extends SchemaTerm {
  /** The position of the key in its object, from 1. */
  readonly position: number;
  /** Without null and blank values; never empty. */
  readonly values: readonly SchemaValue[];
}

/** One JSON-LD object of a block. Nodes with the same `@id` are not merged yet. */
export interface SchemaNode {
  /** The position of its JSON-LD block on the page, from 1. */
  readonly block: number;
  /** Offset in the text of that block, in characters from 0. */
  readonly offset: number;
  /** Null for the root of a block and the members of a `@graph`. */
  readonly parent: SchemaNode | null;
  /** The parent's schema.org property that contains it; null if there is none. */
  readonly via: string | null;
  /** `@id` resolved against the page. */
  readonly id: string | null;
  readonly isReference: boolean;
  /** Its schema.org types and properties; both empty for a node of another vocabulary. */
  readonly types: readonly SchemaTerm[];
  readonly properties: readonly SchemaProperty[];
}

export type JsonLdBlock = { readonly position: number } & (
  | { readonly kind: 'read' }
  /** A form of JSON-LD that we do not read, such as one with its own names in `@context`: it may say anything. */
  | { readonly kind: 'otherForm' }
  /** Only white space. */
  | { readonly kind: 'empty' }
  /** Not JSON: the line and byte in the block where parsing failed, both from 1, and the character from 0. */
  | { readonly kind: 'broken'; readonly line: number; readonly byte: number; readonly offset: number }
  /** Over one of our limits (1 MiB and depth 100 per page, 50,000 nodes per run). */
  | { readonly kind: 'unread' }
);

export interface StructuredPage {
  readonly page: SamplePage;
  readonly blocks: readonly JsonLdBlock[];
  /** Every node, a parent before its children. */
  readonly nodes: readonly SchemaNode[];
  /** The words of its title and visible text; null if no value in the markup must be visible, or if the words prove nothing. */
  readonly shownWords: ReadonlySet<string> | null;
}

/** The JSON-LD of the sample; the first page is the home page. */
export interface StructuredData {
  readonly pages: readonly [StructuredPage, ...StructuredPage[]];
}

/**
 * One sameAs link. malformed: not an absolute http(s) URL. private: it leads into a private network; neither is requested. refused: its
 * host refuses this scanner at any path.
 */
export interface SameAsLink {
  /** The position among the identity node's sameAs values, from 1. */
  readonly position: number;
  readonly state: LinkState | 'malformed' | 'private' | 'refused';
}

/** The sameAs links of the home page's identity node. */
export interface SameAsLinks {
  readonly total: number;
  /** Links that were skipped because their hosts' responses to bots are meaningless. */
  readonly skippedCount: number;
  /** The first few of the others. */
  readonly checked: readonly SameAsLink[];
}
