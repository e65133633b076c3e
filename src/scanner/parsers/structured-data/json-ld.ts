import type { JsonLdScript } from '../../artifacts/pages.js';
import type { JsonLdBlock, SchemaNode } from '../../artifacts/structured-data.js';
import { JSON_LD_LIMITS } from '../../limits.js';
import { type JsonLimits, type JsonObject, parseJson } from '../json.js';
import { walkBlock } from './json-ld-nodes.js';
import { trimScript } from './json-ld-script.js';

interface JsonLdReading {
  readonly blocks: readonly JsonLdBlock[];
  readonly nodes: readonly SchemaNode[];
  /** How many nodes the following pages may still use. */
  readonly nodesLeft: number;
}

/** Reads the JSON-LD blocks of one page; `url` is the page's, against which `@id` is resolved. */
export function readJsonLd(
  scripts: readonly JsonLdScript[],
  url: URL,
  nodesMax: number = JSON_LD_LIMITS.nodesMax,
): JsonLdReading {
  const blocks: JsonLdBlock[] = [];
  const nodes: SchemaNode[] = [];
  let bytesLeft: number = JSON_LD_LIMITS.bytesMax;
  let limits: JsonLimits = { containersMax: nodesMax, keysMax: JSON_LD_LIMITS.keysMax };
  for (const { position, text } of scripts) {
    bytesLeft -= Buffer.byteLength(text);
    if (bytesLeft < 0) {
      blocks.push({ position, kind: 'unread' });
      continue;
    }
    const { start, end } = trimScript(text);
    if (start === end) {
      blocks.push({ position, kind: 'empty' });
      continue;
    }
    const reading = parseJson(text.slice(start, end), limits);
    if (reading.kind === 'value') {
      limits = { ...limits, containersMax: limits.containersMax - reading.containerCount };
      // Not push(...nodes): tens of thousands of arguments overflow the stack.
      const offsetOf = (object: JsonObject): number => start + (reading.offsets.get(object) ?? 0);
      const read = walkBlock(reading.value, { position, offsetOf }, url);
      for (const node of read ?? []) nodes.push(node);
      // Whatever its form, a block that does not name schema.org uses none of its terms.
      blocks.push({ position, kind: read || !/schema\.org/i.test(text) ? 'read' : 'otherForm' });
    } else if (reading.kind === 'broken') {
      blocks.push({ position, kind: 'broken', ...locate(text, start + reading.offset) });
    } else {
      blocks.push({ position, kind: 'unread' });
    }
  }
  return { blocks, nodes, nodesLeft: limits.containersMax };
}

/** Line and byte of a character of `text`, both from 1. */
function locate(text: string, offset: number): { line: number; byte: number; offset: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, byte: Buffer.byteLength(before) + 1, offset };
}
