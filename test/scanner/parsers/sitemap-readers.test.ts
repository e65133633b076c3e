import { readFileSync } from 'node:fs';
import t from 'tap';
import type { SitemapReading } from '../../../src/scanner/artifacts/sitemaps.js';
import { parseLastmod } from '../../../src/scanner/parsers/sitemap/lastmod.js';
import { SitemapReader } from '../../../src/scanner/parsers/sitemap/sitemap.js';

/** Answers of other people's readers, whose names and versions stand in the files. */
interface OtherReaders {
  readonly documents: readonly {
    readonly name: string;
    readonly document: string;
    /** The URL of each entry; null for one that holds a reference to an entity. */
    readonly libxml2: 'refused' | readonly (string | null)[];
    readonly expat: 'refused' | 'read';
  }[];
  readonly lists: readonly {
    readonly name: string;
    readonly base64: string;
    readonly ultimateSitemapParser: readonly string[];
  }[];
}

interface BySchema {
  readonly isValid: Readonly<Record<string, boolean>>;
}

const others = readFixture('other-readers') as OtherReaders;
const bySchema = readFixture('lastmod-by-schema') as BySchema;

function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(`test/fixtures/sitemaps/${name}.json`, 'utf8')) as unknown;
}

function read(body: string | Uint8Array): SitemapReading {
  const reader = new SitemapReader(new Date('2026-03-10T12:00:00Z'));
  reader.write(Buffer.from(body));
  return reader.finish();
}

/** How a document comes out: its URLs, or in a word why they are not read. */
function outcomeOf(document: string): string | readonly string[] {
  const reading = read(document);
  return 'problem' in reading ? reading.problem : reading.file.entries.map(({ url }) => url.href);
}

/** Their problem is not with namespaces or entities, which we leave alone. */
const STRICT = new Set([
  'undeclared prefix on an element',
  'undeclared prefix on an attribute',
  'undeclared prefix on the root',
  'prefix declared on a sibling',
]);

t.test('what libxml2 reads is read alike, but for a DOCTYPE that declares entities or attributes', async (t) => {
  for (const { name, document, libxml2 } of others.documents) {
    if (libxml2 === 'refused') continue;
    const isHidden = /<!(?:ENTITY|ATTLIST)/.test(document) || libxml2.includes(null);
    t.same(outcomeOf(document), isHidden ? 'entities' : libxml2, name);
  }
});

t.test('what libxml2 and expat refuse is malformed, but for prefixes', async (t) => {
  for (const { name, document, libxml2, expat } of others.documents) {
    t.equal(expat === 'refused', libxml2 === 'refused', name);
    if (libxml2 !== 'refused') continue;
    const reading = read(document);
    if (STRICT.has(name)) t.match(reading, { file: { unusable: { count: 0 } } }, name);
    else
      t.match(
        reading,
        { problem: /<!(?:ENTITY|ATTLIST)|SYSTEM|PUBLIC/.test(document) ? 'entities' : 'malformed' },
        name,
      );
  }
});

t.test('a list in UTF-16 is read, though others see no URL in it', async (t) => {
  for (const { name, base64 } of others.lists) {
    t.match(
      read(Buffer.from(base64, 'base64')),
      { file: { kind: 'text', entryCount: 2, unusable: { count: 0 } } },
      name,
    );
  }
});

/** Taken since before, as crawlers do, though no schema takes it. */
const TOLERATED = [
  '2026',
  '2026-02',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '2026-01-31T09:30Z',
  '2026-01-31T09:30:60Z',
  '2026-01-31T09:30:15-0400',
  '2026-01-31T09:30:15+14:30',
  '2026-01-31T09:30:15z',
  '2026-01-31t09:30:15Z',
  '2026-01-31 09:30:15+00:00',
];
/** What the schema would take with seconds. */
const WITHOUT_SECONDS = ['2026-01-31T09:30', '2026-01-31T24:00Z', '2026-01-31T24:00'];

t.test('a lastmod is one where the schema says so', async (t) => {
  for (const [value, isValid] of Object.entries(bySchema.isValid)) {
    const expected = isValid || TOLERATED.includes(value) || WITHOUT_SECONDS.includes(value);
    t.equal(parseLastmod(value) !== null, expected, value);
  }
});
