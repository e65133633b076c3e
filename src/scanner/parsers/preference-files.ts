import { SaxesParser } from 'saxes';
import type { Reservation } from '../artifacts/pages.js';
import { PREFERENCE_FILE_LIMITS as LIMITS } from '../limits.js';
import { isArray, isObject, type JsonValue, parseJson } from './json.js';

/** Parses a `tdm-reservation` (TDMRep §4). In JSON it is a number, which some write as a string. */
export function parseReservation(value: unknown): Reservation {
  const said = typeof value === 'number' ? String(value) : value;
  const text = typeof said === 'string' ? said.trim() : '';
  return text === '0' || text === '1' ? text : 'other';
}

/** Reads `/.well-known/tdmrep.json` (TDMRep §5.3): an array of locations and their reservations. */
export function parseTdmFile(text: string): 'read' | 'malformed' | 'unread' {
  const reading = parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text, LIMITS);
  if (reading.kind === 'overLimit') return 'unread';
  if (reading.kind === 'broken' || !isArray(reading.value)) return 'malformed';
  return reading.value.some(isRule) ? 'read' : 'malformed';
}

function isRule(entry: JsonValue): boolean {
  if (!isObject(entry)) return false;
  return typeof entry.get('location') === 'string' && parseReservation(entry.get('tdm-reservation')) !== 'other';
}

const RSL_NAMESPACE = /^https:\/\/rslstandard\.org\/rsl\/?$/;
const NOT_RSL = new Error('not a document of RSL');

/**
 * True if a text is a document of RSL 1.0: well-formed XML whose root is `rsl`, in its namespace or in none. Builds no tree, expands
 * only XML's own entities, and gives up at a DOCTYPE.
 */
export function isRsl(text: string): boolean {
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  let attributeCount = 0;
  const require = (holds: boolean): void => {
    if (!holds) throw NOT_RSL;
  };
  parser.on('error', () => require(false));
  parser.on('doctype', () => require(false));
  parser.on('opentagstart', () => (attributeCount = 0));
  parser.on('attribute', () => {
    attributeCount += 1;
    require(attributeCount <= LIMITS.attributesMax);
  });
  parser.on('opentag', ({ local, uri }) => {
    require(depth > 0 || (local === 'rsl' && (uri === '' || RSL_NAMESPACE.test(uri))));
    depth += 1;
    require(depth <= LIMITS.depthMax);
  });
  parser.on('closetag', () => (depth -= 1));
  try {
    parser.write(text).close();
    return true;
  } catch (error) {
    if (error === NOT_RSL) return false;
    throw error;
  }
}
