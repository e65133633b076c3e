import t from 'tap';
import type { SchemaNode, SchemaValue } from '../../../src/scanner/artifacts/structured-data.js';
import { findNearest } from '../../../src/scanner/parsers/structured-data/entities.js';
import { readJsonLd, trimScript } from '../../../src/scanner/parsers/structured-data/json-ld.js';
import { decodeMarkup, splitWords } from '../../../src/scanner/parsers/structured-data/words.js';

const PAGE = new URL('https://www.fixture-site.com/page');

const read = (...texts: readonly string[]) =>
  readJsonLd(
    texts.map((text, index) => ({ position: index + 1, text })),
    PAGE,
  );

/** The nodes of one block written in schema.org's terms. */
const nodesOf = (document: unknown, context: unknown = 'https://schema.org') =>
  read(JSON.stringify(Array.isArray(document) ? document : { '@context': context, ...(document as object) })).nodes;

const typesOf = (nodes: readonly SchemaNode[]) => nodes.map(({ types }) => types.map(({ name }) => name).join('+'));

const valuesOf = (node: SchemaNode | undefined, property: string): readonly SchemaValue[] =>
  node?.properties.find(({ name }) => name === property)?.values ?? [];

t.test('an error has its line and byte', async (t) => {
  const cases: [what: string, text: string, line: number, byte: number][] = [
    ['a comma after the last entry', '{\n  "a": 1,\n}', 3, 13],
    ['bytes, not characters', '{"é": }', 1, 8],
    ['a text that does not end', '{"a": "b', 1, 9],
    ['a line break inside a text', '{"a": "b\nc"}', 1, 9],
    ['an unknown escape', '["\\x"]', 1, 3],
    ['a comment', '\n{ // a\n"b": 1}', 2, 4],
    ['more after the value', '{} {}', 1, 4],
    ['a number that JSON does not know', '[01]', 1, 3],
    ['counted from the start of the block, wrapped or not', '<!--\n{"a":}\n-->', 2, 11],
  ];
  for (const [what, text, line, byte] of cases) {
    const offset = Buffer.from(text).toString('utf8', 0, byte - 1).length;
    t.same(read(text).blocks, [{ position: 1, kind: 'broken', line, byte, offset }], what);
  }
});

t.test('a BOM, CDATA and comment marks are trimmed, in pairs only', async (t) => {
  const inner = (text: string) => {
    const { start, end } = trimScript(text);
    return text.slice(start, end);
  };
  for (const text of [
    '\uFEFF {}\r\n',
    '<!-- {} -->',
    '<!--\n{}\n//-->',
    '<![CDATA[{}]]>',
    '//<![CDATA[\n{}\n//]]>',
    '/* <![CDATA[ */ {} /* ]]> */',
    '<!--//<![CDATA[\n{}\n//]]>-->',
  ]) {
    t.equal(inner(text), '{}', text);
  }
  for (const text of ['<!-- {}', '{} -->', '<![CDATA[ {}', '<!-->', '<!-- {} ]]>', '<!-- ["<!-- -->"] -->'])
    t.equal(inner(text), text);
});

t.test('a node may have as many types as a block has values', async (t) => {
  const types = Array.from({ length: 45_000 }, (_, index) => `T${index}`);
  t.equal(nodesOf({ '@type': types })[0]?.types.length, types.length);
});

t.test('every way to write the context of schema.org', async (t) => {
  const contexts: [context: unknown, isSchemaOrg: boolean][] = [
    ['https://schema.org', true],
    ['http://schema.org/', true],
    ['HTTPS://www.Schema.org/', true],
    ['https://schema.org/docs/jsonldcontext.json', true],
    ['http://auto.schema.org', true],
    [['https://schema.org', { '@language': 'de' }], true],
    [{ '@vocab': 'https://schema.org/' }, true],
    [{ '@vocab': 'http://schema.org' }, true],
    [[null, 'https://schema.org'], true],
    ['https://schema.org.evil.com/', false],
    ['https://notschema.org/', false],
    ['https://example.com/schema.org', false],
    [{ '@vocab': 'https://example.com/' }, false],
    [['https://schema.org', { '@vocab': null }], true],
    [['https://schema.org', { '@vocab': 'https://example.com/' }], true],
    [['https://schema.org', null], false],
    [{ schema: 'https://schema.org/' }, false],
    [null, false],
    [7, false],
  ];
  for (const [context, isSchemaOrg] of contexts) {
    const types = typesOf(nodesOf({ '@type': 'Organization', name: 'A' }, context));
    t.same(types, [isSchemaOrg ? 'Organization' : ''], JSON.stringify(context));
  }
});

t.test('names of other vocabularies are left out or are not certain', async (t) => {
  const context = ['https://schema.org', { ex: 'https://example.com/', s: 'https://schema.org/' }];
  const namesOf = (node: SchemaNode | undefined) =>
    node?.properties.map(({ name, isCertain, position }) => `${position} ${name}${isCertain ? '' : '?'}`);
  const [node] = nodesOf({ '@type': ['ex:Thing', 's:Person'], 's:name': 'A', 'ex:x': 'D', own: 'E' }, context);
  t.same(node?.types, [{ name: 'Person', isCertain: true }]);
  t.same(namesOf(node), ['3 name?', '5 own']);
  const [open] = nodesOf({ '@type': 'Person', own: 'E' }, ['https://schema.org', 'https://example.com/context']);
  t.match(open?.properties, [{ isCertain: false }], 'a context that was not read may define any name');
  const [aliased] = nodesOf({ type: 'Person', id: '#a', name: 'A' });
  t.match(aliased, { types: [{ name: 'Person', isCertain: false }], id: `${PAGE.href}#a` }, 'type and id are aliases');
  const anew = ['https://schema.org', { schema: 'https://example.com/' }];
  t.same(typesOf(nodesOf({ '@type': 'schema:Person' }, anew)), [''], 'a prefix may be defined anew');
});

t.test('blocks with custom terms or other forms are not read', async (t) => {
  const node = { '@type': 'Person', name: 'A' };
  const own = [
    { name: 'https://example.com/name#' },
    { s: 'https://schema.org/na' },
    { '@import': 'https://example.com/context' },
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`p${index}`, 'https://schema.org/'])),
  ];
  const documents: object[] = [
    ...own.map((context) => ({ '@context': ['https://schema.org', context], ...node })),
    { '@context': Array.from({ length: 21 }, () => 'https://schema.org'), ...node },
    { '@context': 'https://schema.org', ...node, knows: { ...node, '@graph': [node] } },
  ];
  for (const document of documents) {
    const text = JSON.stringify(document);
    const { blocks, nodes } = read(text, JSON.stringify({ '@context': 'https://schema.org', ...node }));
    const kinds = blocks.map(({ position, kind }) => `${position} ${kind}`);
    t.same(kinds, ['1 otherForm', '2 read'], text);
    t.same(typesOf(nodes), ['Person'], `${text}: the block behind it is read`);
  }
  const foreign = read('{"@context":{"nom":"https://example.com/name"},"nom":"A"}');
  t.same(foreign.blocks, [{ position: 1, kind: 'read' }], 'without schema.org it has none of its terms');
});

t.test('arrays, @graph and nesting are flattened', async (t) => {
  const context = { '@context': 'https://schema.org' };
  const graph = [{ '@type': 'WebSite' }, [{ '@type': 'WebPage', '@graph': [{ '@type': 'Thing' }] }]];
  const knows = [{ '@list': [{ '@type': 'Patient' }] }, { '@set': [{ '@id': '#x' }] }];
  const documents = [{ '@graph': graph }, { '@type': 'Person', knows }];
  const nodes = nodesOf(documents.map((document) => ({ ...context, ...document })));
  const places = nodes.map(({ types, parent, via, isReference }) => {
    const parts = [types[0]?.name, parent && `${via} of ${parent.types[0]?.name}`, isReference && 'by reference'];
    return parts.filter(Boolean).join(' ');
  });
  t.same(places, ['WebSite', 'WebPage', 'Thing', 'Person', 'Patient knows of Person', 'knows of Person by reference']);
});

t.test('included and reversed nodes have no property', async (t) => {
  const nodes = nodesOf({
    '@type': 'WebPage',
    '@included': [{ '@type': 'Person' }, { '@type': 'Event' }],
    '@reverse': { about: { '@type': 'Article' }, subjectOf: [{ '@type': 'Book' }] },
  });
  t.same(typesOf(nodes), ['WebPage', 'Person', 'Event', 'Article', 'Book']);
  for (const { parent, via } of nodes.slice(1)) t.same([parent?.types[0]?.name, via], ['WebPage', null]);
});

t.test('null and blank values are absent, @value is unwrapped', async (t) => {
  const [node] = nodesOf({
    '@type': 'Thing',
    name: [null, ' ', '', [], {}, { '@value': null }],
    description: { '@value': 'A', '@language': 'en' },
    url: ['B', 0, false],
    image: { '@value': { secret: 1 }, '@type': '@json' },
  });
  t.same(valuesOf(node, 'name'), []);
  t.same(valuesOf(node, 'description'), ['A']);
  t.same(valuesOf(node, 'url'), ['B', 0, false]);
  t.same(valuesOf(node, 'image'), [true], 'there, but not ours to read');
});

t.test('a key that would reach a prototype is a key like any other', async (t) => {
  const block =
    '{"@context":{"@vocab":"https://schema.org/","__proto__":"https://example.com/"},"@type":"__proto__:A","__proto__":{"name":"A"},"constructor":1}';
  const { nodes } = read(block);
  t.same(typesOf(nodes), ['', ''], 'as the context says, the type is of another vocabulary');
  const names = nodes[0]?.properties.map(({ name }) => name);
  t.same(names, ['__proto__', 'constructor']);
  t.notOk('name' in {});
});

t.test('the last of duplicate keys wins', async (t) => {
  const { nodes } = read('{"@context":"https://schema.org","@type":"A","name":"x","@type":"Person","name":"y"}');
  t.same(typesOf(nodes), ['Person']);
  t.same(valuesOf(nodes[0], 'name'), ['y']);
});

t.test('the limits are those of a page', async (t) => {
  const half = `[${'{},'.repeat(6_000)}{}]`;
  t.match(read(half, half).blocks, [{ kind: 'read' }, { kind: 'unread' }]);
});

t.test('words are compared without regard to how they are written', async (t) => {
  const same: [string, string][] = [
    ['Don’t “panic”', 'don\'t "panic"'],
    ['ﬁne Ⅳ', 'FINE iv'],
    ['a—b', 'a b'],
    ['co\u00ADoperate', 'cooperate'],
    ['Ένα', 'ΕΝΑ'],
    ['groß', 'GROSS'],
    ['ｉＰｈｏｎｅ15ケース', 'iPhone15 ケース'],
  ];
  for (const [a, b] of same) t.same([...splitWords(a)].sort(), [...splitWords(b)].sort(), a);
  t.same([...splitWords('日本語 กข x ! 🙂')], ['日本語', 'กข', 'x'], 'words without spaces between them');
  t.equal(decodeMarkup('Fish &amp; <em>Chips</em> &#8217;n&rsquo; &eacute;'), 'Fish & Chips ’n’ é');
});

t.test('combining marks without end are cut before they are put in order', async (t) => {
  t.same([...splitWords(`e\u0301 a${'\u0301\u0323'.repeat(100_000)}b`)], ['e', 'ab']);
});

t.test('a term is near by one edit in three characters, two at most; the first of equals is taken', async (t) => {
  const cases: readonly (readonly [name: string, vocabulary: readonly string[], nearest: string | null])[] = [
    ['naem', ['nose', 'name', 'names'], 'name'],
    ['adress', ['dress', 'address'], 'dress'],
    ['NAME', ['names', 'name', 'named'], 'name'],
    ['price', ['prices', 'pricey'], 'prices'],
    ['organisation', ['Organization'], 'Organization'],
    ['abcdefghijkl', ['abcdefghijyz'], 'abcdefghijyz'],
    ['abcdefghijkl', ['abcdefghixyz'], null],
    ['x'.repeat(60), ['x'.repeat(62)], 'x'.repeat(62)],
    ['x'.repeat(61), ['x'.repeat(61)], null],
  ];
  for (const [name, vocabulary, nearest] of cases) t.equal(findNearest(name, vocabulary), nearest, name);
});
