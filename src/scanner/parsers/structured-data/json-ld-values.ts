import type { SchemaNode, SchemaValue } from '../../artifacts/structured-data.js';
import type { JsonObject, JsonValue } from '../json.js';
import { isArray, isObject } from '../json.js';
import type { ValueReading } from './json-ld-definition.js';

/** An array whose members are read by index: an object for each member would take many times the memory of the text. */
export interface OpenArray {
  readonly items: readonly JsonValue[];
  next: number;
}

/** The values of a property, as far as they are read. */
interface ReadValues {
  /** Without null and blank ones; `true` stands for a value whose content is not ours. */
  readonly values: readonly SchemaValue[];
  /** A part that is not read holds something. */
  readonly isUnread: boolean;
}

/** The values of a property: arrays, `@list` and `@set` flattened, `@value` unwrapped, null and blank ones omitted. */
export function readValues(
  value: JsonValue,
  reading: ValueReading,
  addChild: (child: JsonObject) => SchemaNode,
): ReadValues {
  if (reading === 'json') return { values: isBlank(value) ? [] : [true], isUnread: false };
  if (isObject(value)) {
    if (reading === 'withoutMaps') return { values: [], isUnread: hasContent(value) };
    if (reading === 'languages') return readValues([...value.values()], 'plain', addChild);
  } else if (!isArray(value)) return { values: isBlank(value) ? [] : [value], isUnread: false };
  const values: SchemaValue[] = [];
  let isUnread = false;
  const stack: OpenArray[] = [{ items: [value], next: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const next = top.items[top.next];
    top.next += 1;
    if (next === undefined) stack.pop();
    else if (isArray(next)) stack.push({ items: next, next: 0 });
    else if (isObject(next)) {
      const wrapped = next.get('@list') ?? next.get('@set') ?? next.get('@value');
      if (next.get('@type') === '@json') values.push(true);
      else if (wrapped !== undefined) stack.push({ items: [wrapped], next: 0 });
      else if (reading === 'withoutObjects') isUnread ||= hasContent(next);
      else if (next.size > 0 && !next.has('@value')) {
        values.push(addChild(next));
        isUnread ||= hasContent(next.get('@graph') ?? null);
      }
    } else if (!isBlank(next)) values.push(next);
  }
  // A copy: an array that grows member by member keeps room for sixteen more.
  return { values: values.slice(), isUnread };
}

/** Whether there is any text, number or boolean inside. */
export function hasContent(value: JsonValue): boolean {
  const stack: JsonValue[] = [value];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!isArray(next) && !isObject(next)) {
      if (!isBlank(next)) return true;
    } else for (const member of next.values()) stack.push(member);
  }
  return false;
}

function isBlank(value: JsonValue): value is null {
  return value === null || (typeof value === 'string' && value.trim() === '');
}
