import type { JsonValue } from '../json.js';
import { isArray, isObject } from '../json.js';

/** What a context says of a name. */
export interface TermDefinition {
  /** What the name stands for; null if it is mapped to null, undefined if the definition does not say. */
  readonly iri: string | null | undefined;
  /** It names the property that leads from the value to the node. */
  readonly isReverse: boolean;
  /** It has a context of its own: a scoped one. */
  readonly hasContext: boolean;
  readonly reading: ValueReading;
}

/**
 * How a property's value is read. `json` is a value whose content is not ours; `languages` are texts by language. Of the other
 * containers of JSON-LD 1.1 (§4.6: index, id, type and graph) and of scoped contexts (§4.1.8) it is only known where nodes may be: they are
 * not read.
 */
export type ValueReading = 'plain' | 'json' | 'languages' | 'withoutMaps' | 'withoutObjects';

/** Containers that leave the values as they are. */
const PLAIN_CONTAINERS: ReadonlySet<JsonValue> = new Set(['@set', '@list']);

export function readDefinition(name: string, value: JsonValue): TermDefinition {
  if (!isObject(value)) {
    const iri = typeof value === 'string' ? value : null;
    return { iri: iri === name ? undefined : iri, isReverse: false, hasContext: false, reading: 'plain' };
  }
  const iri = value.get('@id');
  const hasContext = value.has('@context');
  return {
    iri: (typeof iri === 'string' && iri !== name) || iri === null ? iri : undefined,
    isReverse: value.has('@reverse'),
    hasContext,
    reading: value.get('@type') === '@json' ? 'json' : readingOf(value.get('@container') ?? null, hasContext),
  };
}

function readingOf(container: JsonValue, hasContext: boolean): ValueReading {
  const containers = (isArray(container) ? container : [container]).filter((one) => !PLAIN_CONTAINERS.has(one));
  if (hasContext || containers.includes('@graph')) return 'withoutObjects';
  if (containers.length === 0 || container === null) return 'plain';
  return containers.length === 1 && containers[0] === '@language' ? 'languages' : 'withoutMaps';
}
