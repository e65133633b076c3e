import type { JsonLdScript } from '../../domain/evidence/pages.js';
import type { JsonLdBlock, SchemaNode } from '../../domain/evidence/structured-data.js';
import type { JsonLimits } from '../json.js';
import { parseJson } from '../json.js';
import { walkBlock } from './json-ld-nodes.js';
import { trimScript } from './json-ld-script.js';

/** What is read of one page's JSON-LD: enough for every honest page, and a bound for the others. */
export const JSON_LD_LIMITS = { bytesMax: 1_048_576, depthMax: 100, nodesMax: 50_000 } as const;

interface JsonLdReading {
  readonly blocks: readonly JsonLdBlock[];
  readonly nodes: readonly SchemaNode[];
}

/** Reads the JSON-LD blocks of one page; `url` is the page's, against which `@id` is resolved. */
export function readJsonLd(scripts: readonly JsonLdScript[], url: URL): JsonLdReading {
  const blocks: JsonLdBlock[] = [];
  const nodes: SchemaNode[] = [];
  let bytesLeft: number = JSON_LD_LIMITS.bytesMax;
  let limits: JsonLimits = { depthMax: JSON_LD_LIMITS.depthMax, containersMax: JSON_LD_LIMITS.nodesMax };
  for (const { position, text } of scripts) {
    bytesLeft -= Buffer.byteLength(text);
    if (bytesLeft < 0) {
      blocks.push({ position, kind: 'unread' });
      continue;
    }
    const { start, end } = trimScript(text);
    const reading = parseJson(text.slice(start, end), limits);
    if (reading.kind === 'value') {
      limits = { ...limits, containersMax: limits.containersMax - reading.containerCount };
      // Not push(...nodes): tens of thousands of arguments overflow the stack.
      for (const node of walkBlock(reading.value, position, url)) nodes.push(node);
      blocks.push({ position, kind: 'read' });
    } else if (reading.kind === 'broken') {
      blocks.push({ position, kind: 'broken', ...locate(text, start + reading.offset) });
    } else {
      blocks.push({ position, kind: 'unread' });
    }
  }
  return { blocks, nodes };
}

/** Line and byte of a character of `text`, both from 1. */
function locate(text: string, offset: number): { line: number; byte: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, byte: Buffer.byteLength(before) + 1 };
}
