import type { JsonObject, JsonValue } from '../json.js';
import { isArray, isObject } from '../json.js';
import type { ContextLayer, Meaning } from './json-ld-context.js';
import { applyContext, meaningOf } from './json-ld-context.js';

/** An entry of a node's object, or of an object that is nested in it by `@nest`. */
export interface Member {
  readonly key: string;
  readonly value: JsonValue;
  readonly meaning: Meaning;
  /** The position of its key, or of the outermost `@nest` around it, in the node's object, from 1. */
  readonly position: number;
}

/** Most members of one nest, since a node is read in one step; no honest node has this many. */
const NESTED_MAX = 5_000;

/** A nest that is not opened: of a node with too many nested members, or one whose term has a context of its own. */
const UNREAD_NEST: Meaning = { kind: 'keyword', keyword: '@nest', reading: 'withoutObjects' };

/**
 * Visits the members of a node, those in its nests included (JSON-LD 1.1 API §5.1.2, step 14): `@nest` itself is visited only where it is
 * not read.
 */
export function visitMembers(object: JsonObject, context: ContextLayer, visit: (member: Member) => void): void {
  let position = 0;
  for (const [key, value] of object) {
    position += 1;
    const meaning = meaningOf(key, context);
    if (isReadNest(meaning)) visitNest(value, position, context, visit);
    else visit({ key, value, meaning, position });
  }
}

function visitNest(nest: JsonValue, position: number, context: ContextLayer, visit: (member: Member) => void): void {
  let count = 0;
  const open = [nestedEntries(nest)];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const next = top.next();
    if (next.done === true) {
      open.pop();
      continue;
    }
    const [key, value] = next.value;
    if (key === '@context') continue;
    count += 1;
    if (count > NESTED_MAX) {
      visit({ key, value, meaning: UNREAD_NEST, position });
      return;
    }
    const meaning = meaningOf(key, context);
    if (isReadNest(meaning)) open.push(nestedEntries(value));
    else visit({ key, value, meaning, position });
  }
}

function isReadNest(meaning: Meaning): boolean {
  return meaning.kind === 'keyword' && meaning.keyword === '@nest' && meaning.reading === 'plain';
}

/** The entries of each object in a nest. */
function* nestedEntries(nest: JsonValue): Generator<readonly [string, JsonValue]> {
  for (const nested of isArray(nest) ? nest : [nest]) {
    // A value cannot be nested ("invalid @nest value").
    if (isObject(nested) && !nested.has('@value')) yield* nested;
  }
}

/** Whether an object with `@graph` is not a node itself: it has no other statements. */
export function isWrapper(object: JsonObject, context: ContextLayer): boolean {
  let isWrapper = true;
  visitMembers(object, context, ({ meaning }) => {
    const isStatement = meaning.kind === 'keyword' ? meaning.keyword === '@type' : meaning.kind !== 'dropped';
    if (isStatement) isWrapper = false;
  });
  return isWrapper;
}

export function valueOfKeyword(object: JsonObject, keyword: string, context: ContextLayer): JsonValue | undefined {
  if (object.has(keyword)) return object.get(keyword);
  let found: JsonValue | undefined;
  visitMembers(object, context, ({ meaning, value }) => {
    if (meaning.kind === 'keyword' && meaning.keyword === keyword) found ??= value;
  });
  return found;
}

export function contextOf(object: JsonObject, inherited: ContextLayer): ContextLayer {
  const context = object.get('@context');
  return context === undefined ? inherited : applyContext(context, inherited);
}
