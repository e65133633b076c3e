import type { Reservation } from '../artifacts/pages.js';
import { PREFERENCE_FILE_LIMITS } from '../limits.js';
import { isArray, isObject, type JsonValue, parseJson } from './json.js';
import { rootOf } from './xml.js';

/** Parses a `tdm-reservation` (TDMRep §4). In JSON it is a number, but some sites write a string. */
export function parseReservation(value: unknown): Reservation {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '0' || text === '1' ? text : 'other';
}

/** Reads `/.well-known/tdmrep.json` (TDMRep §5.3): an array of locations and their reservations. */
export function parseTdmFile(text: string): 'read' | 'malformed' | 'unread' {
  const reading = parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text, PREFERENCE_FILE_LIMITS);
  if (reading.kind === 'overLimit') return 'unread';
  if (reading.kind === 'broken' || !isArray(reading.value)) return 'malformed';
  return reading.value.some(isRule) ? 'read' : 'malformed';
}

function isRule(entry: JsonValue): boolean {
  if (!isObject(entry)) return false;
  return typeof entry.get('location') === 'string' && parseReservation(entry.get('tdm-reservation')) !== 'other';
}

const RSL_NAMESPACE = /^(?:https:\/\/rslstandard\.org\/rsl\/?)?$/;

/** True for an RSL 1.0 document: well-formed XML whose root is `rsl`, in its namespace or in none. */
export function isRsl(text: string): boolean {
  const { name = '', attributes = {} } = rootOf(text) ?? {};
  const colon = name.lastIndexOf(':');
  const namespace = attributes[colon === -1 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`] ?? '';
  return name.slice(colon + 1) === 'rsl' && RSL_NAMESPACE.test(namespace);
}
