import type { LinkState } from './llms.js';
import type { SamplePage } from './pages.js';

/** A name of the schema.org vocabulary as a page writes it; whether schema.org knows it is the checks' question. */
export interface SchemaTerm {
  readonly name: string;
  /**
   * No other vocabulary can have defined the name: it is no prefixed key, and every context in force is schema.org's or
   * was read whole. Only such a name can be charged with being unknown.
   */
  readonly isCertain: boolean;
}

/** A value, arrays and `@value` unwrapped. `true` also stands for a value whose inside is not ours to read (`@json`). */
export type SchemaValue = string | number | boolean | SchemaNode;

export interface SchemaProperty extends SchemaTerm {
  /** Which key of its object it is, from 1. */
  readonly position: number;
  /** Without null and blank values; never empty. */
  readonly values: readonly SchemaValue[];
}

/** One JSON-LD object, as it stands in its block: nodes of one `@id` are not merged here. */
export interface SchemaNode {
  /** Which JSON-LD block of the page it is in, from 1. */
  readonly block: number;
  /** Which node of its parent (or of its block) it is, from 0. */
  readonly index: number;
  /** Null for the root of a block and the members of a `@graph`. */
  readonly parent: SchemaNode | null;
  /** The schema.org property of the parent that holds it; null where there is none. */
  readonly via: string | null;
  /** `@id` resolved against the page. */
  readonly id: string | null;
  /** The object holds nothing but `@id`. */
  readonly isReference: boolean;
  /** Its types and properties of schema.org; both empty for a node of another vocabulary. */
  readonly types: readonly SchemaTerm[];
  readonly properties: readonly SchemaProperty[];
}

/** What became of one JSON-LD block. */
export type JsonLdBlock =
  | { readonly position: number; readonly kind: 'read' }
  /** No JSON: line and byte of the block at which it stops being JSON, both from 1. */
  | { readonly position: number; readonly kind: 'broken'; readonly line: number; readonly byte: number }
  /** Past one of our own limits (1 MiB and depth 100 a page, 50,000 nodes a run). */
  | { readonly position: number; readonly kind: 'unread' };

/** The JSON-LD of one sampled page. */
export interface StructuredPage {
  readonly page: SamplePage;
  readonly blocks: readonly JsonLdBlock[];
  /** Every node, a parent before its children. */
  readonly nodes: readonly SchemaNode[];
  /** The words of its title and visible text; null where the markup names nothing that they must show, or they prove nothing. */
  readonly shownWords: ReadonlySet<string> | null;
}

/** The JSON-LD of the sample; the first page is the home page. */
export interface StructuredData {
  readonly pages: readonly [StructuredPage, ...StructuredPage[]];
}

/** One followed sameAs link; `malformed` is no absolute http(s) URL and was not followed. */
export interface SameAsLink {
  /** Which sameAs value of the identity node it is, from 1. */
  readonly position: number;
  readonly state: LinkState | 'malformed';
}

/** The sameAs links of the home page's identity node. */
export interface SameAsLinks {
  /** How many it has. */
  readonly total: number;
  /** How many lead to hosts whose answers to bots mean nothing, and were left out. */
  readonly walledCount: number;
  /** The first few of the others. */
  readonly checked: readonly SameAsLink[];
}
