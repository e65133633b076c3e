import type { Reservation } from '../artifacts/preferences.js';
import { type JsonValue, parseJson } from './json.js';

const LIMITS = { depthMax: 16, containersMax: 5_000 };

/** What a `tdm-reservation` says (TDMRep §4); in JSON it is a number, which some write as a string. */
export function parseReservation(value: unknown): Reservation {
  const said = typeof value === 'number' ? String(value) : value;
  const text = typeof said === 'string' ? said.trim() : '';
  return text === '0' || text === '1' ? text : 'other';
}

/** What a tdmrep.json says: null if it gives no location a reservation. */
export interface TdmFile {
  /** The first rule that covers the home page reserves the rights in the whole site. */
  readonly isSiteReserved: boolean;
}

/** Reads `/.well-known/tdmrep.json` (TDMRep §5.3): an array of locations and their reservations. */
export async function parseTdmFile(text: string): Promise<TdmFile | 'malformed' | 'overLimit'> {
  const reading = await parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text, LIMITS);
  if (reading.kind === 'overLimit') return 'overLimit';
  if (reading.kind === 'broken' || !Array.isArray(reading.value)) return 'malformed';
  const rules = (reading.value as readonly JsonValue[]).flatMap(ruleOf);
  if (rules.length === 0) return 'malformed';
  const whole = rules.find(({ location }) => location === '/' || location === '/*' || location === '*');
  return { isSiteReserved: whole?.reservation === '1' };
}

function ruleOf(entry: JsonValue): { readonly location: string; readonly reservation: '0' | '1' }[] {
  if (!(entry instanceof Map)) return [];
  const rule = entry as ReadonlyMap<string, JsonValue>;
  const location = rule.get('location');
  const reservation = parseReservation(rule.get('tdm-reservation'));
  return typeof location === 'string' && reservation !== 'other' ? [{ location, reservation }] : [];
}
