import type { HostileText } from './hostile-text.js';
import { nameOf, repeat, series } from './hostile-text.js';

const LD = '<script type="application/ld+json">';
const GRAPH = '{"@context":"https://schema.org","@graph":[';
/** The start of a node. */
const node = (type: string): string => `{"@context":"https://schema.org","@type":"${type}",`;
const nodes = (name: string, piece: string): HostileText => repeat(name, piece, GRAPH, '{}]}');

export const HOSTILE_HTML: readonly HostileText[] = [
  repeat('nothing but <', '<'),
  repeat('nothing but </', '</'),
  repeat('nothing but &', '&'),
  repeat('character references', '&lt;'),
  repeat('numeric references', '&#x41;'),
  repeat('a million links', '<a>'),
  series('links to different places', (index) => `<a href=${index}>`),
  repeat('links on a long base', '<a href=x>', `<base href="/${'b'.repeat(3_900)}/">`),
  repeat('links of slashes', `<a href="${'/'.repeat(4_000)}">`),
  repeat('depth', '<div>'),
  repeat('depth and foreign ends', '<b></i>'),
  repeat('templates in templates', '<template>'),
  repeat('a million headings', '<h1></h1>'),
  repeat('one attribute', 'a', '<p class="', '">'),
  repeat('an attribute without end', 'a', '<p class="'),
  repeat('attributes on one tag', 'a ', '<p ', '>'),
  series('different attributes on one tag', (index) => `a${index}=b `, '<p ', '>'),
  repeat('one name of an attribute', 'a', '<p ', '>'),
  repeat('one name of a tag', 'a', '<'),
  repeat('a list of types', ',', '<script type="', '"></script>'),
  repeat('a list of relations', 'a ', '<link href=x rel="', '">'),
  repeat('a million metas', '<meta name=robots content=a>'),
  repeat('a meta full of commas', ', ', '<meta name=robots content="', '">'),
  repeat('one title', 'a ', '<title>', '</title>'),
  repeat('titles', '<title>a</title>'),
  repeat('a comment without end', '-', '<!--'),
  repeat('comments', '<!---->'),
  repeat('declarations', '<!a>'),
  repeat('half ends of a script', '</scrip', '<script>'),
  repeat('scripts', '<script></script>'),
  repeat('JSON-LD blocks', `${LD}{}</script>`),
  repeat('comments in a script', '<!---->', '<script>'),
  repeat('scripts in a script', '<script></script>', '<script><!--'),
  repeat('pictures', '<svg><title/></svg>'),
  repeat('pictures in pictures', '<svg><desc>'),
  repeat('depth in a picture', '<g>', '<svg>'),
  repeat('depth and ends of others in a picture', '<g></a>', '<a><svg>'),
  series('names in a picture', (index) => `<g${index}></a${index}>`, '<svg>'),
  repeat('ends in an integration point', '</g>', `<svg>${'<g>'.repeat(9_000)}<desc><b>`),
  repeat('pictures that break off', '<svg><g><p>'),
  repeat('CDATA', '<![CDATA[>', '<svg><desc>'),
  repeat('CDATA, now HTML, now not', '<svg><![CDATA[]]></svg>'),
  repeat('NUL', '\0'),
  repeat('NUL in tags', '<p \0=\0>\0'),
  repeat('byte order marks', '\uFEFF'),
  repeat('lone surrogates', '\uD800'),
  repeat('combining marks', '\u0301\u0323', '<title>a</title><p>'),
  repeat('characters that become many', '\uFDFA ', '<p>'),
  repeat('white space', ' \n\t'),
  repeat('words', 'a ', '<p>'),
  repeat('entity bomb', '<!ENTITY a "&b;&b;">', '<!DOCTYPE html [', ']>&a;'),
];

export const HOSTILE_JSON: readonly HostileText[] = [
  repeat('numbers', '1,', '[', '1]'),
  repeat('huge numbers', '1e999,', '[', '1]'),
  repeat('a number of digits', '9', '[', ']'),
  repeat('strings', '"a",', '[', '1]'),
  repeat('escapes', '\\u0041', '["', '"]'),
  repeat('half escapes', '\\', '["'),
  repeat('surrogates', '\\ud800', '["', '"]'),
  repeat('depth of arrays', '['),
  repeat('depth of objects', '{"a":'),
  repeat('empty objects', '{},', '[', '1]'),
  series('different keys', (index) => `"k${index}":1,`, '{', '"a":1}'),
  repeat('one key', '"a":1,', '{', '"a":1}'),
  repeat('keys of every object', '"__proto__":{"a":1},"constructor":1,"toString":1,', '{', '"a":1}'),
  repeat('a string without end', 'a', '"'),
  repeat('ends of what did not begin', '},[', '['),
  repeat('values without commas', '1 ', '['),
  repeat('white space', ' '),
  repeat('NUL', '\0', '"'),
];

/** In a block of a page: what the reader of JSON-LD and the judges of structured data make of it. */
export const HOSTILE_JSON_LD: readonly HostileText[] = [
  ...HOSTILE_JSON,
  nodes('small nodes', '{"@type":"Thing"},'),
  nodes('identity nodes', '{"@type":"Organization"},'),
  nodes('web sites with an address', '{"@type":"WebSite","url":"a"},'),
  nodes('products', '{"@type":"Product","name":"x"},'),
  nodes('many types', '{"@type":["Product","Event","JobPosting","Recipe","VideoObject"]},'),
  series(
    'misspelt properties',
    (index) =>
      `{"@type":["Product","Event","JobPosting"],"namf${nameOf(index)}":1,"nmae":1,"ofers":1,"titel":1,"datPosted":1},`,
    GRAPH,
    '{}]}',
  ),
  series('properties of one node', (index) => `"x${nameOf(index)}":1,`, '{"@context":"https://schema.org",', '"a":1}'),
  series('types of one node', (index) => `"X${nameOf(index)}",`, '{"@context":"https://schema.org","@type":[', '"A"]}'),
  nodes('one node in many parts', '{"@id":"#a","@type":"Product"},'),
  series('references', (index) => `{"@id":"${index}"},`, GRAPH, '{}]}'),
  repeat('links', '"http://a",', `${node('Person')}"sameAs":[`, '"a"]}'),
  repeat('dates', '"2020",', `${node('Article')}"datePublished":[`, '"a"]}'),
  repeat('a date', '9', `${node('Article')}"datePublished":"`, '"}'),
  repeat('addresses', '"//a",', `${node('Thing')}"url":[`, '"a"]}'),
  repeat('headlines', '"a b",', `${node('Article')}"headline":[`, '"a"]}'),
  repeat('combining marks', '\u0301\u0323', `${node('Article')}"headline":"`, '"}'),
  repeat(
    'list items',
    '{"nmae":1,"itme":2,"positon":3},',
    `${GRAPH}{"@type":"BreadcrumbList","itemListElement":[`,
    '{}]}]}',
  ),
  repeat('questions', '{"nmae":1},', `${GRAPH}{"@type":"FAQPage","mainEntity":[`, '{}]}]}'),
  nodes('contexts', '{"@context":{"a":"b:c"},"@type":"T"},'),
  series(
    'one long context',
    (index) => `"t${index}":"a:b",`,
    '{"@context":[{',
    '"a":"b:c"},{},{},{},{},{},{},{},{}],"@type":"T"}',
  ),
  repeat('contexts in contexts', '{"@context":{"a":"b:c"},"about":'),
  nodes(
    'a vocabulary in a circle',
    '{"@context":[{"a":"b:x","b":"a:y"},{"@vocab":"a:"},{"@vocab":"b"}],"@type":"a:T","a:b":1,"b":2},',
  ),
  nodes('blogs with an author', '{"@type":"Blog","author":{"@type":"Person","url":"/a"}},'),
  repeat('authors of one blog', '{"@id":"#a","url":"/a"},', `${node('Blog')}"author":[`, '{}]}'),
];

export const HOSTILE_MARKDOWN: readonly HostileText[] = [
  ...['> ', '[', '![', '*a', '_a', '`', '`a``b', '<', '- ', '1. ', '~', '\\', '&', '<a ', '<!-- '],
  ...['<![CDATA[', '\0', '\uD800'],
  ...['[a](b', '[a](<b', '[a](b "', '<a:b', '>- ', '# ', '=', '|', '\t', '[a]: b\n', '[a]\n', '#\n', 'a\n=\n', '- a\n'],
  ...['- a\n  - b\n', '- http://a.b\n', '- [a](/b)\n', '```\n', '***\n', '[a]: b "\n', '\n', '\r'],
].map((piece) => repeat(JSON.stringify(piece), piece, '# A\n\n'));

export const HOSTILE_MARKDOWN_LABELS: readonly HostileText[] = [
  series(
    'labels and their uses',
    (index) => `[l${index}]: /x\n\n[l${index}] [l${index + 1}] [l${index + 2}]\n\n`,
    '# A\n\n',
  ),
  repeat('front matter', 'a: b\n', '---\n'),
];

const URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';

/** As long as a token of a sitemap may be, so that it is read to its end. */
const TOKEN_CHARS = 1_000_000;
const DOCTYPES: readonly HostileText[] = [
  ...['"', "''", '<!--', '<!---->', '<?', '%a;', '<!ATTLIST ', '<!ENTITY ', ' SYSTEM', '[', '<!ENTITY a "b">'].map(
    (piece) => repeat(`DOCTYPE of ${piece}`, piece, '<!DOCTYPE urlset [', `]>${URLSET}</urlset>`),
  ),
  repeat('DOCTYPE without a subset', '<!--', '<!DOCTYPE urlset ', `>${URLSET}</urlset>`),
  series('entities', (index) => `<!ENTITY a${index} "">`, '<!DOCTYPE urlset [', `]>${URLSET}&a1;</urlset>`),
  repeat('white space in a DOCTYPE', ' ', '<!DOCTYPE urlset [<!ENTITY', `]>${URLSET}</urlset>`),
];

export const HOSTILE_XML: readonly HostileText[] = [
  repeat('entity bomb', '<!ENTITY a "&b;&b;">', '<?xml version="1.0"?><!DOCTYPE urlset [', `]>${URLSET}&a;</urlset>`),
  ...DOCTYPES.map(({ name, make }) => ({ name, make: (chars: number) => make(Math.min(chars, TOKEN_CHARS)) })),
  repeat('unread entities', '&a;', `<!DOCTYPE urlset [<!ENTITY a "">]>${URLSET}<url><loc>`, '</loc></url></urlset>'),
  repeat('unread entries', '<url>&a;</url>', `<!DOCTYPE urlset SYSTEM "a">${URLSET}`, '</urlset>'),
  repeat('prefixes on each element', '<a:b xmlns:a="c" xmlns:d="e"/>', URLSET, '</urlset>'),
  repeat('prefixes on nested elements', '<a:b xmlns:a="c">', URLSET),
  repeat('undeclared prefixes', '<a:b c:d=""/>', URLSET, '</urlset>'),
  repeat('entries', '<url><loc>http://a</loc></url>', URLSET, '</urlset>'),
  repeat('empty entries', '<url/>', URLSET, '</urlset>'),
  repeat('one entry of many locs', '<loc>http://a</loc>', `${URLSET}<url>`, '</url></urlset>'),
  repeat('one loc', 'a', `${URLSET}<url><loc>http://`, '</loc></url></urlset>'),
  repeat('dates', '<url><loc>http://a</loc><lastmod>2020-01-01T00:00:00.0000Z</lastmod></url>', URLSET, '</urlset>'),
  repeat('a date', '0', `${URLSET}<url><loc>http://a</loc><lastmod>2020-01-01T00:00:00.`, '</lastmod></url></urlset>'),
  repeat('depth', '<a>', URLSET),
  series('namespaces', (index) => ` xmlns:a${index}="b"`, '<urlset', '/>'),
  repeat('character references', '&#x41;', `${URLSET}<url><loc>`, '</loc></url></urlset>'),
  repeat('CDATA', '<![CDATA[a]]>', `${URLSET}<url><loc>`, '</loc></url></urlset>'),
  repeat('comments', '<!---->', URLSET, '</urlset>'),
  repeat('an attribute without end', 'a', '<urlset a="'),
  repeat('a name', 'a', '<'),
  repeat('lines of text', 'http://a\n'),
  repeat('one line of text', 'a', 'http://a\n'),
  repeat('empty lines', '\n', 'http://a\n'),
];

export const HOSTILE_YAML: readonly HostileText[] = [
  ...[
    ...['[', '{', '? ', '- ', '&a ', '!a ', '*a ', 'a: ', '{a: ', '[{', '"', '|\n', '%', ','],
    ...['&a [*a,', '\t', '\0', '#'],
  ].map((piece) => repeat(`flow of ${JSON.stringify(piece)}`, piece, 'openapi: 3.0.0\ninfo: ')),
  repeat('lines', 'a\n', 'openapi: 3.0.0\n'),
  repeat('sections', 'info:\n', 'openapi: 3.0.0\n'),
  repeat('aliases of aliases', '&b [*a,*a,*a,*a]\n', 'openapi: 3.0.0\ninfo: &a [1]\npaths:\n - '),
];

/** Inside an otherwise right document of its kind. */
export const HOSTILE_MANIFESTS: readonly HostileText[] = [
  repeat('skills', '{"id":"a","name":"b","description":"c","tags":[]},', '{"name":"a","skills":[', '{}]}'),
  repeat('skills that lack everything', '{},', '{"name":"a","skills":[', '{}]}'),
  repeat('tags', '"a",', '{"name":"a","skills":[{"id":"a","name":"b","description":"c","tags":[', '"a"]}]}'),
  repeat(
    'interfaces',
    '{"url":"http://a","protocolBinding":"a","protocolVersion":"1"},',
    '{"supportedInterfaces":[',
    '{}]}',
  ),
  series(
    'security schemes',
    (index) => `"k${index}":{"type":"oauth2"},`,
    '{"url":"http://a","securitySchemes":{',
    '"x":1}}',
  ),
  series('scopes', (index) => `"k${index}":1,`, '{"url":"http://a","security":[{', '"x":1}]}'),
  repeat('linkset entries', '{"anchor":"https://a/","item":[{"href":"b"}]},', '{"linkset":[', '{}]}'),
  series('targets', (index) => `{"href":"${index}"},`, '{"linkset":[{"anchor":"https://a/","item":[', '{}]}]}'),
  series('relations', (index) => `"r${index}":[{}],`, '{"linkset":[{"anchor":"https://a/",', '"item":[]}]}'),
  repeat(
    'MCP entries',
    '{"identifier":"a","type":"application/mcp","data":{"remotes":[]}},',
    '{"specVersion":"1","entries":[',
    '{}]}',
  ),
  repeat('MCP servers', '{"url":"https://a/"},', '{"name":"a","servers":[', '{}]}'),
  series('MCP endpoints', (index) => `"k${index}":"/${index}",`, '{"name":"a","endpoints":{', '"x":"/x"}}'),
  repeat('remotes', '{"type":"a","url":"https://a"},', '{"remotes":[', '{}]}'),
  repeat('grants', '"a",', '{"issuer":"https://a","grant_types_supported":[', '"a"]}'),
  series('paths', (index) => `"k${index}":1,`, '{"openapi":"3.0.0","info":{"title":"a"},"paths":{', '"x":1}}'),
  repeat(
    'servers',
    '{"url":"http://a.b.c"},',
    '{"openapi":"3.0.0","info":{"title":"a"},"paths":{"/":1},"servers":[',
    '{}]}',
  ),
  repeat(
    'references in circles',
    '{"$ref":"#/paths"},',
    '{"openapi":"3.0.0","info":{"title":"a"},"paths":{"/":[',
    '{}]}}',
  ),
];
