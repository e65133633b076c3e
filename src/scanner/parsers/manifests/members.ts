import type { Literal, SafeText } from '../../artifacts/safe-text.js';
import { safeText, term } from '../../artifacts/safe-text.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { NamedPart, Part, Problems } from './shape.js';
import { isArray, isObject, isTextArray, partOf, textOf } from './shape.js';

/** Any string, one that is not blank, one of a few, a boolean, any object, an array of strings; or what has parts of its own. */
type ValueType = 'string' | 'text' | 'boolean' | 'object' | 'strings' | ReadonlySet<string> | Members | Items;

/** The members of an object, which may depend on what it says of itself. */
type Members = readonly Member[] | ((object: JsonObject) => readonly Member[]);

export interface Member {
  readonly field: SafeText;
  readonly type: ValueType;
  readonly isRequired: boolean;
}

/** An array or a map, and what one of its values is called. */
interface Items {
  readonly kind: 'list' | 'map';
  readonly name: SafeText;
  readonly of: ValueType;
}

export function required<S extends string>(field: Literal<S>, type: ValueType): Member {
  return { field: term(field), type, isRequired: true };
}

export function optional<S extends string>(field: Literal<S>, type: ValueType): Member {
  return { field: term(field), type, isRequired: false };
}

export function listOf<S extends string>(name: Literal<S>, of: ValueType): Items {
  return { kind: 'list', name: term(name), of };
}

/** The keys of a map are the site's, so a value is named by its position. */
export function mapOf<S extends string>(name: Literal<S>, of: ValueType): Items {
  return { kind: 'map', name: term(name), of };
}

/**
 * Records each member that is missing, or that has another type than it should. A member that is null is absent, as ProtoJSON says
 * and as writers of optional fields mean it; members that are not listed may be anything.
 */
export function checkMembers(
  object: JsonObject,
  members: Members,
  problems: Problems,
  part: Part = problems.root,
): void {
  for (const { field, type, isRequired } of typeof members === 'function' ? members(object) : members) {
    if (problems.isFull) return;
    const value = object.get(field.text) ?? null;
    const isRight = value === null ? !isRequired : isOfType(value, type);
    problems.require(isRight, object, field, part);
    if (value !== null && isRight)
      checkParts(value, type, problems, partOf(part, safeText`"${field}"`, field.text), part);
  }
}

/** @param outer the part that the items of a list are called after */
function checkParts(value: JsonValue, type: ValueType, problems: Problems, part: NamedPart, outer: Part = part): void {
  if (isItems(type)) {
    const { name, of } = type;
    let position = 0;
    for (const [key, item] of entriesOf(value)) {
      if (problems.isFull) return;
      position += 1;
      const { name: itemName } = partOf(outer, safeText`${name} ${position}`);
      const itemPart = partOf({ name: null, pointer: part.pointer }, itemName, key);
      if (isOfType(item, of)) checkParts(item, of, problems, itemPart);
      else problems.add(safeText`${itemName} has the wrong type`, itemPart);
    }
  } else if (isMembers(type) && isObject(value)) checkMembers(value, type, problems, part);
}

function entriesOf(value: JsonValue): Iterable<readonly [string | number, JsonValue]> {
  if (isArray(value)) return value.entries();
  return isObject(value) ? value : [];
}

function isOfType(value: JsonValue, type: ValueType): boolean {
  if (isItems(type)) return type.kind === 'list' ? isArray(value) : isObject(value);
  if (isMembers(type) || type === 'object') return isObject(value);
  if (type === 'text') return textOf(value) !== null;
  if (type === 'strings') return isTextArray(value);
  return typeof type === 'string' ? typeof value === type : typeof value === 'string' && type.has(value);
}

function isItems(type: ValueType): type is Items {
  return typeof type === 'object' && 'kind' in type;
}

function isMembers(type: ValueType): type is Members {
  return Array.isArray(type) || typeof type === 'function';
}
