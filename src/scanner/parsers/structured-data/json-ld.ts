import type { JsonLdScript } from '../../artifacts/pages.js';
import type { JsonLdBlock, SchemaNode } from '../../artifacts/structured-data.js';
import { JSON_LD_LIMITS } from '../../limits.js';
import { type JsonObject, parseJson } from '../json.js';
import { readNodes } from './json-ld-nodes.js';

/** Reads the JSON-LD blocks of one page. Resolves each `@id` against `url`, the URL of the page. */
export function readJsonLd(
  scripts: readonly JsonLdScript[],
  url: URL,
): { readonly blocks: readonly JsonLdBlock[]; readonly nodes: readonly SchemaNode[] } {
  const blocks: JsonLdBlock[] = [];
  const nodes: SchemaNode[] = [];
  let bytesLeft: number = JSON_LD_LIMITS.bytesMax;
  let containersLeft: number = JSON_LD_LIMITS.nodesMax;
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
    const reading = parseJson(text.slice(start, end), containersLeft);
    if (reading.kind === 'value') {
      containersLeft -= reading.containerCount;
      const offsetOf = (object: JsonObject): number => start + (reading.offsets.get(object) ?? 0);
      const nodesOfBlock = readNodes(reading.value, { position, offsetOf }, url);
      nodes.push(...(nodesOfBlock ?? []));
      // A block that never mentions schema.org uses none of its terms, so its form does not matter.
      blocks.push({ position, kind: nodesOfBlock || !/schema\.org/i.test(text) ? 'read' : 'otherForm' });
    } else if (reading.kind === 'broken') {
      blocks.push({ position, kind: 'broken', ...locate(text, start + reading.offset) });
    } else {
      blocks.push({ position, kind: 'unread' });
    }
  }
  return { blocks, nodes };
}

/** Returns the line and byte of a character, both from 1. */
function locate(text: string, offset: number): { line: number; byte: number; offset: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, byte: Buffer.byteLength(before) + 1, offset };
}

/** Wrappers that old CMS templates use to hide a script from old browsers: an HTML comment, which ends at its first `-->`, or CDATA. */
const WRAPPERS = [
  /^<!--(?<inner>(?:(?!-->)[^])*?)(?:\/\/ ?|\/\*)?(?:-->|-->\*\/)$/d,
  /^(?:\/\/ ?|\/\* ?)?<!\[CDATA\[(?: ?\*\/)?(?<inner>[^]*?)(?:\/\/ ?|\/\* ?)?\]\]>(?: ?\*\/)?$/d,
];

/** Real pages put CDATA inside a comment, or the reverse, but nothing deeper. */
const WRAPPINGS_MAX = 3;

/**
 * Returns where the JSON of a script element starts and ends, without white space, a BOM, and the delimiters of CDATA or an HTML comment.
 * Delimiters are removed only in pairs: an unpaired one makes the block invalid (JSON-LD 1.1 API, HTML tests e014 to e016).
 */
export function trimScript(text: string): { readonly start: number; readonly end: number } {
  let [start, end] = [0, text.length];
  for (let wrapping = 0; wrapping <= WRAPPINGS_MAX; wrapping += 1) {
    const isSpace = (index: number): boolean => ' \t\r\n\uFEFF'.includes(text.charAt(index));
    while (start < end && isSpace(start)) start += 1;
    while (end > start && isSpace(end - 1)) end -= 1;
    const content = text.slice(start, end);
    const inner = WRAPPERS.flatMap((wrapper) => wrapper.exec(content)?.indices?.groups?.inner ?? []);
    if (inner.length === 0) break;
    [start, end] = [start + (inner[0] ?? 0), start + (inner[1] ?? 0)];
  }
  return { start, end };
}
