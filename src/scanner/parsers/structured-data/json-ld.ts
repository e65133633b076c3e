import type { JsonLdScript } from '../../artifacts/pages.js';
import type { JsonLdBlock, SchemaNode } from '../../artifacts/structured-data.js';
import type { JsonLimits, JsonObject } from '../json.js';
import { parseJson } from '../json.js';
import { walkBlock } from './json-ld-nodes.js';
import { trimScript } from './json-ld-script.js';

/** Limits for one page's JSON-LD, and for the nodes of all pages of a run: enough for every honest site. */
export const JSON_LD_LIMITS = { bytesMax: 1_048_576, depthMax: 100, nodesMax: 50_000 } as const;

/** Most keys of one object, which is read in one step: schema.org has fewer. */
const KEYS_MAX = 5_000;

interface JsonLdReading {
  readonly blocks: readonly JsonLdBlock[];
  readonly nodes: readonly SchemaNode[];
  /** How many nodes the following pages may still use. */
  readonly nodesLeft: number;
}

/** Reads the JSON-LD blocks of one page, yielding to other work; `url` is the page's, against which `@id` is resolved. */
export async function readJsonLd(
  scripts: readonly JsonLdScript[],
  url: URL,
  nodesMax: number = JSON_LD_LIMITS.nodesMax,
): Promise<JsonLdReading> {
  const blocks: JsonLdBlock[] = [];
  const nodes: SchemaNode[] = [];
  let bytesLeft: number = JSON_LD_LIMITS.bytesMax;
  let limits: JsonLimits = { depthMax: JSON_LD_LIMITS.depthMax, containersMax: nodesMax, keysMax: KEYS_MAX };
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
    const reading = await parseJson(text.slice(start, end), limits);
    if (reading.kind === 'value') {
      limits = { ...limits, containersMax: limits.containersMax - reading.containerCount };
      // Not push(...nodes): tens of thousands of arguments overflow the stack.
      const offsetOf = (object: JsonObject): number => start + (reading.offsets.get(object) ?? 0);
      const read = await walkBlock(reading.value, { position, offsetOf }, url);
      for (const node of read.nodes) nodes.push(node);
      blocks.push({ position, kind: 'read', isPartlyUnread: read.isPartlyUnread });
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
