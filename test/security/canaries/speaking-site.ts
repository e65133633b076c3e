import fc from 'fast-check';
import {
  FIXTURE_ORIGIN,
  type FixtureAnswer,
  type FixtureRoute,
  type FixtureSite,
  resolveRoute,
} from '../../support/fixture-site.js';
import { ADDRESS_TAIL, FOREIGN_HOST, FOREIGN_MARKER, HEADER_SPEECH, MARKER, MARKER_HOST, SPEECH } from './marker.js';

/** The first ones are the most frequent, because the response stays readable. */
const KINDS = 'word json members insert line word json header bytes type status cut'.split(' ');

/** One change to the response at some of a site's addresses. */
interface Change {
  readonly kind: string;
  /** The address whose response changes, and the position in it, each as a share from 0 to 1. */
  readonly address: number;
  readonly position: number;
  /** Selects what is put in. */
  readonly value: number;
}

/** Headers that any server may send. */
const SALT: Readonly<Record<string, string | readonly string[]>> = {
  server: HEADER_SPEECH,
  [`x-${MARKER}`]: HEADER_SPEECH,
  etag: `"${MARKER}"`,
  'last-modified': MARKER,
  'set-cookie': `${MARKER}=${MARKER}; Path=/${MARKER}; Domain=${MARKER_HOST}`,
  'content-language': MARKER,
  'content-location': `/${MARKER}`,
  'cache-control': `${MARKER}="${MARKER}"`,
  via: `1.1 ${MARKER}`,
  refresh: `9999; url=/${MARKER}`,
  'retry-after': MARKER,
  'www-authenticate': `Bearer realm="${HEADER_SPEECH}", error="${MARKER}"`,
};
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['content-encoding', MARKER],
  ['content-encoding', 'gzip'],
  ['location', `https://${MARKER_HOST}${ADDRESS_TAIL}`],
  ['link', `<https://${MARKER_HOST}/>; rel="mcp a2a ${MARKER} alternate service-desc"; type="text/markdown"`],
  ['x-robots-tag', `${MARKER}: noindex, none`],
  ['content-usage', `${MARKER}=y`],
  ['content-signal', `${HEADER_SPEECH}=yes, search=${MARKER}`],
  ['cf-mitigated', MARKER],
  ['vary', HEADER_SPEECH],
];
const TYPES = ['text/html', 'text/markdown', 'application/json', 'application/xml', `text/${MARKER}`, MARKER, ''];
const STATUSES = [200, 204, 206, 299, 302, 304, 401, 403, 406, 410, 418, 429, 451, 503, 666];
const TEXTS = [
  ...[SPEECH, MARKER, FOREIGN_MARKER, ADDRESS_TAIL, `https://${MARKER_HOST}/`, `https://${FOREIGN_HOST}/`],
  ...['99999999999999999999', '\0', ']]>', '</script>'],
];
const VALUES = [...TEXTS, 1e308, 1234567890123456, null, [MARKER], { [MARKER]: MARKER }, { '@id': MARKER }];

const share = fc.noBias(fc.nat(9_999)).map((part) => part / 10_000);

export const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    kind: share.map((part) => KINDS[Math.floor(part * part * KINDS.length)] ?? 'word'),
    address: share,
    position: share,
    value: fc.noBias(fc.nat(1_000)),
  }),
  { minLength: 4, maxLength: 12 },
);

/** Adds markers to the headers of all responses, and changes their bodies. */
export function speakingSite(site: FixtureSite, made: readonly Change[]): FixtureSite {
  const keys = Object.keys(site.routes);
  const routes = Object.entries(site.routes).map(([key, route], index): [string, FixtureRoute] => [
    key,
    async (request) => {
      const answer = await resolveRoute(route, request);
      const own = made.filter(({ address }) => Math.floor(address * keys.length) === index);
      return own.reduce(applyChange, { ...answer, headers: { ...SALT, ...answer.headers } });
    },
  ]);
  const absent = { status: 404, headers: SALT, type: 'text/html', body: `<title>${SPEECH}</title><h1>${MARKER}</h1>` };
  return { ...site, origin: site.origin ?? FIXTURE_ORIGIN, routes: { '*': absent, ...Object.fromEntries(routes) } };
}

function applyChange(answer: FixtureAnswer, { kind, position, value }: Change): FixtureAnswer {
  const bytes = Buffer.from(answer.body ?? '');
  const text = bytes.toString();
  const at = Math.floor(position * text.length);
  const [name, field] = pick(HEADERS, value);
  const made: Readonly<Record<string, () => FixtureAnswer>> = {
    status: () => ({ status: pick(STATUSES, value) }),
    type: () => ({ type: pick(TYPES, value) }),
    header: () => ({ headers: { ...answer.headers, [name]: field } }),
    cut: () => ({ body: bytes.subarray(0, at) }),
    bytes: () => ({ body: Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, value % 256]), bytes]) }),
    insert: () => ({ body: text.slice(0, at) + pick(TEXTS, value) + text.slice(at) }),
    line: () => ({ body: changeLine(text, position, value) }),
    json: () => ({ body: changeMember(text, position, value) }),
    members: () => ({ body: addMembers(text, value) }),
    word: () => ({ body: changeWord(text, position, pick(TEXTS, value)) }),
  };
  return { ...answer, ...made[kind]!() };
}

function pick<T>(values: readonly T[], at: number): T {
  return values[at % values.length] as T;
}

/** Removes a line, repeats it, or inserts one before it. */
function changeLine(text: string, position: number, value: number): string {
  const lines = text.split('\n');
  const at = Math.floor(position * lines.length);
  const changed = [[], Array<string>(12).fill(lines[at] ?? ''), [SPEECH, lines[at] ?? '']];
  return lines.toSpliced(at, 1, ...pick(changed, value)).join('\n');
}

/** Replaces one word or number wherever it occurs. */
function changeWord(text: string, position: number, replacement: string): string {
  const words = text.slice(0, 20_000).match(/[\p{L}\p{Nd}@$-]+/gu) ?? [];
  const word = words[Math.floor(position * words.length)];
  return word === undefined ? text : text.replaceAll(word, () => replacement);
}

/** Changes the objects of a JSON document or JSON-LD block. */
function changeObjects(text: string, change: (objects: readonly Record<string, unknown>[]) => void): string {
  const [whole = text] = /(?<=<script type="application\/ld\+json">).*?(?=<\/script>)/s.exec(text) ?? [];
  let document: unknown;
  try {
    document = JSON.parse(whole);
  } catch {
    return text;
  }
  const objects = [document].filter(isObject);
  // The loop also visits what it adds.
  for (const object of objects) objects.push(...Object.values(object).filter(isObject));
  change(objects);
  return text.replace(whole, () => JSON.stringify(document));
}

/** Adds one member to all objects. */
function addMembers(text: string, value: number): string {
  return changeObjects(text, (objects) => {
    for (const object of objects) object[MARKER] = pick([...Object.values(object), pick(VALUES, value)], value);
  });
}

/** Replaces the value or the name of one member. */
function changeMember(text: string, position: number, value: number): string {
  return changeObjects(text, (objects) => {
    const object = objects[Math.floor(position * objects.length)];
    const key = pick(Object.keys(object ?? {}), value);
    if (!object || key === undefined) return;
    if (value % 3 > 0) object[key] = pick(VALUES, value);
    else {
      object[pick(TEXTS, value)] = object[key];
      Reflect.deleteProperty(object, key);
    }
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
