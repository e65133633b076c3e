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
    const reading = parseJson(text.slice(start, end), {
      containersMax: containersLeft,
      keysMax: JSON_LD_LIMITS.keysMax,
    });
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

/** Markers that old CMS templates put around a script to hide it from old browsers. */
const WRAPPERS = [
  { opening: ['<!--'], closing: ['//-->', '// -->', '/*-->*/', '-->'] },
  {
    opening: ['<![CDATA[', '//<![CDATA[', '// <![CDATA[', '/*<![CDATA[*/', '/* <![CDATA[ */'],
    closing: ['//]]>', '// ]]>', '/*]]>*/', '/* ]]> */', ']]>'],
  },
] as const;

/** Real pages put CDATA inside a comment, or the reverse, but nothing deeper. */
const WRAPPINGS_MAX = 3;

/**
 * Returns where the JSON of a script element starts and ends, without white space, a BOM, and the markers of a CDATA section or an HTML
 * comment. The markers are removed only in pairs: one alone is a fault of the block (JSON-LD 1.1 API, HTML tests e015, e016), and
 * so is a comment that ends before the block does, since comments do not nest (e014).
 */
export function trimScript(text: string): { readonly start: number; readonly end: number } {
  let range = trimSpace(text, 0, text.length);
  for (let wrapping = 0; wrapping < WRAPPINGS_MAX; wrapping += 1) {
    const inner = unwrap(text, range.start, range.end);
    if (!inner) break;
    range = trimSpace(text, inner.start, inner.end);
  }
  return range;
}

function unwrap(text: string, start: number, end: number): { start: number; end: number } | null {
  for (const { opening, closing } of WRAPPERS) {
    const open = opening.find((marker) => text.startsWith(marker, start));
    const close = closing.find((marker) => text.startsWith(marker, end - marker.length));
    if (open === undefined || close === undefined) continue;
    if (open === '<!--' && text.indexOf('-->', start + open.length) < end - close.length) continue;
    if (start + open.length <= end - close.length) return { start: start + open.length, end: end - close.length };
  }
  return null;
}

function trimSpace(text: string, start: number, end: number): { start: number; end: number } {
  const isSpace = (index: number): boolean => ' \t\r\n\uFEFF'.includes(text.charAt(index));
  let [first, last] = [start, end];
  while (first < last && isSpace(first)) first += 1;
  while (last > first && isSpace(last - 1)) last -= 1;
  return { start: first, end: last };
}
