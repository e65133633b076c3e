import fc from 'fast-check';
import type { FixtureAnswer } from '../../support/fixture-site.js';
import { ADDRESS_TAIL, FOREIGN_HOST, FOREIGN_MARKER, HEADER_SPEECH, MARKER, MARKER_HOST, SPEECH } from './marker.js';
import { buildSite, PART_NAMES, PARTS, type CanarySite, type Choice, type Mutation } from './sites.js';

/** One change to the answers of some addresses; which ones, `address` decides with the address itself. */
interface Change {
  readonly address: number;
  readonly kind: (typeof KINDS)[number];
  /** Where in the answer, as a share of what there is. */
  readonly place: number;
  /** Which of the values that can be put in. */
  readonly value: number;
}

const KINDS = [
  'status',
  'type',
  'header',
  'insert',
  'cut',
  'lines',
  'json-value',
  'json-key',
  'tokens',
  'bytes',
] as const;

/** One answer in so many is changed. */
const SPARED = 4;

const TYPES = [
  'text/html',
  'text/plain',
  'text/markdown',
  'application/json',
  'application/xml',
  `${MARKER}/${MARKER}`,
  `text/${MARKER}; charset=${MARKER}`,
  `text/html; charset="${MARKER}"; ${MARKER}`,
  '',
  MARKER,
  'application/linkset+json',
];
const STATUSES = [
  200, 201, 204, 206, 299, 300, 304, 305, 400, 401, 402, 403, 404, 405, 406, 410, 418, 429, 451, 499, 500, 503, 599,
  666, 999,
];
const HEADERS: readonly (readonly [string, string])[] = [
  ['content-encoding', MARKER],
  ['content-encoding', 'gzip'],
  ['location', `https://${MARKER_HOST}${ADDRESS_TAIL}`],
  ['www-authenticate', `${MARKER} realm="${HEADER_SPEECH}"`],
  ['link', `<https://${MARKER_HOST}/>; rel="mcp a2a ${MARKER} alternate service-desc"; type="text/markdown"`],
  ['x-robots-tag', `${MARKER}: noindex, none`],
  ['content-usage', `${MARKER}=y`],
  ['content-signal', `${HEADER_SPEECH}=yes, search=${MARKER}`],
  ['cf-mitigated', MARKER],
  ['vary', HEADER_SPEECH],
  ['retry-after', '99999999999'],
  ['x-amzn-waf-action', MARKER],
];
/** What is put in: speech, addresses, and numbers that could carry speech. */
const TEXTS = [
  SPEECH,
  MARKER,
  FOREIGN_MARKER,
  ADDRESS_TAIL,
  `https://${MARKER_HOST}/`,
  `https://${FOREIGN_HOST}/`,
  '99999999999999999999',
  '-1',
  '1e308',
  '',
  '\0',
  '\u2028',
  '{{',
  ']]>',
  '-->',
  '</script>',
  '\r\n\r\n',
];
const VALUES = [
  ...TEXTS,
  1e308,
  -0,
  1234567890123456,
  true,
  null,
  [],
  {},
  [MARKER],
  { [MARKER]: MARKER },
  { '@id': MARKER },
  { '@value': SPEECH },
  JSON.parse('{"__proto__": {"text": "Qzjxvwkpyhgm"}}') as unknown,
];

const change: fc.Arbitrary<Change> = fc.record({
  address: fc.nat(SPARED - 1),
  kind: fc.constantFrom(...KINDS),
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  value: fc.nat(1_000),
});

const choice: fc.Arbitrary<Choice> = fc.record(
  Object.fromEntries(
    PART_NAMES.map((part) => {
      const anything = fc.constantFrom(...Object.keys(PARTS[part]));
      // A home page that cannot be read hides everything behind it.
      const weight = part === 'home' || part === 'nowhere' ? 12 : 1;
      return [part, fc.oneof({ weight, arbitrary: fc.constant('sound') }, { weight: 3, arbitrary: anything })];
    }),
  ),
);

/** Sites whose parts are sound, broken or odd, with further changes to what they answer. Heavy ones are left to the listed sites. */
export const canarySite: fc.Arbitrary<CanarySite> = fc
  .record({ choice, changes: fc.array(change, { maxLength: 6 }) })
  .map(({ choice: chosen, changes }) => ({
    ...buildSite(chosen, mutationOf(changes)),
    name: JSON.stringify({ ...chosen, changes }),
  }));

function mutationOf(changes: readonly Change[]): Mutation {
  return (answer, url) =>
    changes
      .filter(({ address }) => sumOf(url.pathname) % SPARED === address)
      .reduce((changed, one) => applyChange(changed, one), answer);
}

function sumOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + character.charCodeAt(0), 0);
}

function applyChange(answer: FixtureAnswer, { kind, place, value }: Change): FixtureAnswer {
  const text = typeof answer.body === 'string' ? answer.body : '';
  const at = Math.floor(place * text.length);
  switch (kind) {
    case 'status':
      return { ...answer, status: pick(STATUSES, value) };
    case 'type':
      return { ...answer, type: pick(TYPES, value) };
    case 'header': {
      const [name, field] = pick(HEADERS, value);
      return { ...answer, headers: { ...answer.headers, [name]: field } };
    }
    case 'insert':
      return { ...answer, body: text.slice(0, at) + pick(TEXTS, value) + text.slice(at) };
    case 'cut':
      return { ...answer, body: text.slice(0, at) };
    case 'lines':
      return { ...answer, body: changeLines(text, place, value) };
    case 'json-value':
    case 'json-key':
      return { ...answer, body: changeJson(text, kind, place, value) };
    case 'tokens':
      return { ...answer, body: changeTokens(text, place, pick(TEXTS, value)) };
    case 'bytes':
      return {
        ...answer,
        body: Buffer.concat([
          Buffer.from(text.slice(0, at)),
          Buffer.from([0xff, 0xc3, value % 256]),
          Buffer.from(text.slice(at)),
        ]),
      };
  }
}

function pick<T>(values: readonly [T, ...T[]] | readonly T[], at: number): T {
  const value = values[at % values.length];
  if (value === undefined && values.length === 0) throw new Error('there is nothing to pick from');
  return value as T;
}

/** Repeats a line, takes one out, or puts one in front of all others. */
function changeLines(text: string, place: number, value: number): string {
  const lines = text.split('\n');
  const at = Math.floor(place * lines.length);
  const line = lines[at] ?? '';
  if (value % 3 === 0) lines.splice(at, 1);
  else if (value % 3 === 1) lines.splice(at, 0, ...Array.from({ length: 12 }, () => line));
  else lines.unshift(line, SPEECH);
  return lines.join('\n');
}

/** One word or number becomes something else wherever it stands. */
function changeTokens(text: string, place: number, by: string): string {
  const tokens = text.slice(0, 20_000).match(/[\p{L}\p{Nd}@$-]+/gu) ?? [];
  const token = tokens[Math.floor(place * tokens.length)];
  return token === undefined ? text : text.replaceAll(token, () => by);
}

/** One member of a JSON document: its value, or what it is called. */
function changeJson(text: string, kind: 'json-value' | 'json-key', place: number, value: number): string {
  const document = readJson(text);
  const holders = document === null ? [] : listHolders(document);
  const holder = holders[Math.floor(place * holders.length)];
  if (holder === undefined) return text;
  const keys = Object.keys(holder);
  const key = keys[value % keys.length];
  if (key === undefined) return text;
  if (kind === 'json-value') holder[key] = pick(VALUES, value);
  else {
    holder[pick(TEXTS, value)] = holder[key];
    Reflect.deleteProperty(holder, key);
  }
  return JSON.stringify(document);
}

function readJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function listHolders(root: object): Record<string, unknown>[] {
  const holders = [root as Record<string, unknown>];
  // An array's iteration also visits what is added on the way.
  for (const holder of holders) {
    for (const value of Object.values(holder)) {
      if (typeof value === 'object' && value !== null) holders.push(value as Record<string, unknown>);
    }
  }
  return holders;
}
