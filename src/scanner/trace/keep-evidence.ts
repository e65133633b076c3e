import { distinctBy, remember } from '../../net/keyed.js';
import type { ResponseHeaders } from '../../net/transport.js';
import type { Place } from '../artifacts/safe-text.js';
import { withoutFragment } from '../artifacts/site-address.js';
import type { Check } from '../verdict/check.js';
import type { Judgement } from '../verdict/judge.js';
import {
  type Excerpt,
  type FindingEvidence,
  KEPT_BYTES_MAX,
  type KeptEvidence,
  type KeptExchange,
  type OutcomeClass,
} from './kept-evidence.js';
import { isHtmlType, parseMediaType } from '../parsers/media-type.js';
import { decodeBody, decodeHtml } from '../parsers/text.js';
import { excerptOf } from './excerpt.js';
import type { AttributedExchange, Exchange, ExchangeLog } from './exchanges.js';

/** Exchanges that are stored for a finding, and those that are quoted besides a control. */
const EXCHANGES_MAX = 16;
const NEAR_MAX = 6;

const PATH_CHARS_MAX = 500;

/** Bytes decoded for an excerpt if no finding points into the body. */
const START_BYTES = 4096;

/** Returns the evidence behind these findings, at most {@link KEPT_BYTES_MAX} as JSON. */
export function keepEvidence(notPassed: readonly Judgement[], log: Pick<ExchangeLog, 'exchangesOf'>): KeptEvidence {
  const exchanges: KeptExchange[] = [];
  const indexes = new Map<Exchange, number>();
  const findings = notPassed.map(({ check, finding: { checkId }, places }): FindingEvidence => {
    const all = exchangesOf(check, log);
    const chosen = choose(all, places);
    const restsOn = chosen.map(({ exchange, isControl, named, isRemote }) => ({
      exchange: remember(indexes, exchange, () => exchanges.push(describe(exchange, isControl)) - 1),
      excerpt: isRemote ? null : quote(exchange, named),
      isRemote,
    }));
    return { checkId, restsOn, omittedCount: all.length - chosen.length };
  });
  return cutToSize({ exchanges, findings });
}

/** Needed evidence comes first, since it decides the verdict. */
function exchangesOf({ needs, uses }: Check, log: Pick<ExchangeLog, 'exchangesOf'>): AttributedExchange[] {
  const needed = log.exchangesOf(needs.length > 0 ? needs : uses);
  const used = log.exchangesOf(uses).map((attributed) => ({ ...attributed, isOwn: false }));
  return distinctBy([...needed, ...used], ({ exchange }) => exchange);
}

interface Chosen extends AttributedExchange {
  /** Places of the finding in its body. */
  readonly named: readonly Place[];
  readonly isRemote: boolean;
}

/** Orders exchanges: those that the finding names, those that its check made, the control, then those that led there. */
function choose(all: readonly AttributedExchange[], places: readonly Place[]): Chosen[] {
  const open = new Set(places);
  const chosen = all.map((attributed): Chosen => {
    const named = [...open].filter((place) => isIn(attributed.exchange, place));
    // A place that is a whole answer is in the request and in its repetition.
    for (const place of named) if (place.at !== null) open.delete(place);
    return { ...attributed, named, isRemote: named.length === 0 && !attributed.isOwn };
  });
  const controls = chosen.filter(({ isControl }) => isControl);
  const control = controls.find(({ isRemote }) => !isRemote);
  const others = chosen.filter(({ isControl }) => !isControl);
  const near = others.filter(({ isRemote }) => !isRemote);
  const ordered = near.toSorted((a, b) => rankOf(a) - rankOf(b));
  const quoted = [...ordered.slice(0, NEAR_MAX), ...(control ? [control] : [])];
  const rest = [...others, ...controls].filter((one) => !quoted.includes(one));
  return [...quoted, ...rest.map((one) => ({ ...one, isRemote: true }))].slice(0, EXCHANGES_MAX);
}

/** Failed exchanges come first, also before the document that names their address. */
function rankOf({ named, exchange }: Chosen): number {
  if (named.length === 0) return isFailing(exchange) ? 3 : 4;
  if (isFailing(exchange)) return 0;
  return named.some(({ at }) => at !== null) ? 1 : 2;
}

function isFailing({ answer }: Exchange): boolean {
  return 'failure' in answer || answer.status >= 400;
}

function isIn({ request: { url }, answer }: Exchange, { file, at }: Place): boolean {
  const isSame = file instanceof URL && url.href === withoutFragment(file);
  if (at === null) return isSame;
  if ('failure' in answer || answer.body === null) return false;
  if (file instanceof URL) return isSame;
  return url.pathname.endsWith(`/${file}`);
}

function describe({ source, request, durationMs, answer }: Exchange, isControl: boolean): KeptExchange {
  if (source !== 'site') return { source, isControl, outcome: source === 'other host' ? classOf(answer) : null };
  const { method, url, headers, body } = request;
  return {
    source,
    isControl,
    method,
    url: url.origin + url.pathname.slice(0, PATH_CHARS_MAX),
    hasQuery: url.search !== '',
    userAgent: headers['user-agent'] ?? '',
    accept: headers.accept ?? '*/*',
    sent: body === null ? null : { type: headers['content-type'] ?? 'application/octet-stream', body },
    durationMs: durationMs === null ? null : Math.round(durationMs),
    answer:
      'failure' in answer
        ? { failure: answer.failure }
        : {
            status: answer.status,
            headers: keptHeaders(answer.headers, url),
            body: answer.body && { byteCount: answer.byteCount, isOverLimit: answer.isOverLimit },
          },
  };
}

function classOf(answer: Exchange['answer']): OutcomeClass {
  if ('failure' in answer || answer.status >= 500) return 'failed';
  if (answer.status >= 400) return 'refused';
  return answer.status >= 300 ? 'redirected' : 'answered';
}

function quote({ source, answer }: Exchange, named: readonly Place[]): Excerpt | null {
  if (source !== 'site' || 'failure' in answer || answer.body === null) return null;
  const { essence, charset } = parseMediaType(answer.headers.get('content-type'));
  const isBinary = /^(?:image|audio|video|font)\//.test(essence ?? '') || answer.body.subarray(0, 1024).includes(0);
  if (isBinary) return null;
  const bytes = named.length > 0 ? answer.body : answer.body.subarray(0, START_BYTES);
  return excerptOf((isHtmlType(essence) ? decodeHtml : decodeBody)(bytes, charset), named);
}

/** Drops excerpts until the evidence fits: first those without a named place, then all. */
function cutToSize(kept: KeptEvidence): KeptEvidence {
  const cuts: ((excerpt: Excerpt) => boolean)[] = [() => true, ({ marked }) => marked.length > 0, () => false];
  const variants = cuts.map((isKept) => ({
    ...kept,
    findings: kept.findings.map((finding) => ({
      ...finding,
      restsOn: finding.restsOn.map((one) => (one.excerpt && !isKept(one.excerpt) ? { ...one, excerpt: null } : one)),
    })),
  }));
  const fits = (variant: KeptEvidence): boolean => Buffer.byteLength(JSON.stringify(variant)) <= KEPT_BYTES_MAX;
  return variants.find(fits) ?? { exchanges: [], findings: [] };
}

/** Header fields that a verdict may depend on, or that say who answered. Never Set-Cookie or another field that may hold a secret. */
const KEPT_FIELDS = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-disposition',
  'location',
  'retry-after',
  'cache-control',
  'vary',
  'link',
  'x-robots-tag',
  'content-signal',
  'content-usage',
  'allow',
  'last-modified',
  'server',
  'via',
  'cf-mitigated',
  'x-vercel-mitigated',
] as const;

const HEADER_CHARS_MAX = 300;
const HEADERS_CHARS_MAX = 1000;

/** Returns these fields of a response. Long values are cut, and a Location has no query. */
function keptHeaders(headers: ResponseHeaders, url: URL): (readonly [name: string, value: string])[] {
  const kept: (readonly [string, string])[] = [];
  let charsLeft = HEADERS_CHARS_MAX;
  for (const name of KEPT_FIELDS) {
    const value = headers.get(name);
    if (value === null || charsLeft <= 0) continue;
    const shown = name === 'location' ? withoutQuery(value, url) : value;
    const cut = shown.slice(0, Math.min(HEADER_CHARS_MAX, charsLeft));
    charsLeft -= cut.length;
    kept.push([name, cut.length < shown.length ? `${cut}…` : cut]);
  }
  return kept;
}

function withoutQuery(location: string, base: URL): string {
  const target = URL.parse(location, base);
  return target ? target.origin + target.pathname : '';
}
