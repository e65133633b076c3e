import { distinctBy, getOrCreate } from '../../net/keyed.js';
import type { Place } from '../artifacts/safe-text.js';
import { withoutFragment } from '../../net/url-gate.js';
import type { Check, Judgement } from '../verdict/check.js';
import { type Excerpt, STORED_BYTES_MAX, type StoredEvidence, type StoredExchange } from './stored-evidence.js';
import { isHtmlType, parseMediaType, decodeBody, decodeHtml } from '../parsers/text.js';
import { excerptOf } from './excerpt.js';
import type { AttributedExchange, Exchange, ExchangeLog } from './exchanges.js';

/** Maximum number of exchanges stored for a finding, and of those with an excerpt, not counting a control. */
const EXCHANGES_MAX = 16;
const QUOTED_MAX = 6;

/** Bytes decoded for an excerpt if the finding names no place in the body. */
const START_BYTES = 4096;

/** Excerpt lengths to try, in characters, until the evidence fits. */
const EXCERPT_CHARS = [2000, 300, 0];

/** Returns the evidence behind these findings, at most {@link STORED_BYTES_MAX} of JSON. */
export function selectEvidence(notPassed: readonly Judgement[], log: Pick<ExchangeLog, 'exchangesOf'>): StoredEvidence {
  const exchanges: StoredExchange[] = [];
  const indexes = new Map<Exchange, number>();
  const chosen = notPassed.map(({ check, finding: { checkId }, places }) => {
    const all = listExchanges(check, log);
    const selected = orderExchanges(all, places).map((one) => ({
      ...one,
      index: getOrCreate(indexes, one.exchange, () => exchanges.push(one.exchange.stored) - 1),
    }));
    return { checkId, selected, omittedCount: all.length - selected.length };
  });
  for (const charsMax of EXCERPT_CHARS) {
    const findings = chosen.map(({ selected, ...rest }) => ({
      ...rest,
      exchanges: selected.map(({ index, exchange, named, isRelated }) => ({
        exchange: index,
        excerpt: isRelated ? null : quote(exchange, named, charsMax),
        isRelated,
      })),
    }));
    if (Buffer.byteLength(JSON.stringify({ exchanges, findings })) <= STORED_BYTES_MAX) return { exchanges, findings };
  }
  return { exchanges: [], findings: [] };
}

/** Lists the exchanges of a check. Needed evidence comes first, since it decides the verdict. */
function listExchanges({ needs, uses }: Check, log: Pick<ExchangeLog, 'exchangesOf'>): AttributedExchange[] {
  const needed = log.exchangesOf(needs.length > 0 ? needs : uses);
  const used = log.exchangesOf(uses).map((attributed) => ({ ...attributed, isOwn: false }));
  return distinctBy([...needed, ...used], ({ exchange }) => exchange);
}

interface Chosen extends AttributedExchange {
  /** Places in this exchange that the finding names. */
  readonly named: readonly Place[];
  readonly isRelated: boolean;
}

/** Orders exchanges: those that the finding names, those that its check made, the control, then those that led to them. */
function orderExchanges(all: readonly AttributedExchange[], places: readonly Place[]): Chosen[] {
  const unmatched = new Set(places);
  const chosen = all.map((attributed): Chosen => {
    const named = [...unmatched].filter((place) => containsPlace(attributed.exchange, place));
    // A place without a position is a whole response, so it also matches a repeated request.
    for (const place of named) if (place.at !== null) unmatched.delete(place);
    return { ...attributed, named, isRelated: named.length === 0 && !attributed.isOwn };
  });
  const controls = chosen.filter(isControl);
  const control = controls.find(({ isRelated }) => !isRelated);
  const others = chosen.filter((one) => !isControl(one));
  const direct = others.filter(({ isRelated }) => !isRelated);
  const ordered = direct.toSorted((a, b) => rank(a) - rank(b));
  const quoted = [...ordered.slice(0, QUOTED_MAX), ...(control ? [control] : [])];
  const rest = [...others, ...controls].filter((one) => !quoted.includes(one));
  return [...quoted, ...rest.map((one) => ({ ...one, isRelated: true }))].slice(0, EXCHANGES_MAX);
}

/** Failed exchanges come first, even before the document that names their URL. */
function rank({ named, exchange }: Chosen): number {
  if (named.length === 0) return exchange.isFailing ? 3 : 4;
  if (exchange.isFailing) return 0;
  return named.some(({ at }) => at !== null) ? 1 : 2;
}

function isControl({ exchange }: AttributedExchange): boolean {
  return exchange.stored.isControl;
}

function containsPlace({ url, body }: Exchange, { file, at }: Place): boolean {
  if (at !== null && body === null) return false;
  if (file instanceof URL) return url.href === withoutFragment(file);
  return at !== null && url.pathname.endsWith(`/${file}`);
}

function quote({ contentType, body }: Exchange, named: readonly Place[], charsMax: number): Excerpt | null {
  if (body === null || charsMax === 0) return null;
  const { essence, charset } = parseMediaType(contentType);
  const isBinary = /^(?:image|audio|video|font)\//.test(essence ?? '') || body.subarray(0, 1024).includes(0);
  if (isBinary) return null;
  const bytes = named.length > 0 ? body : body.subarray(0, START_BYTES);
  return excerptOf((isHtmlType(essence) ? decodeHtml : decodeBody)(bytes, charset), named, charsMax);
}
