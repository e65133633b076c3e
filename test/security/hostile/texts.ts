/**
 * A text that may slow down or crash its reader, made to any length: `make torture TORTURE=blocks` uses the reader's limit. A text stays
 * in its list if it runs a line that no other runs, or is among the slowest.
 */
export interface HostileText {
  readonly name: string;
  readonly make: (chars: number) => string;
}

/** Repeats one piece between a start and an end. */
export function repeat(name: string, piece: string, start = '', end = ''): HostileText {
  const fixed = start.length + end.length;
  return { name, make: (chars) => start + piece.repeat(Math.max(1, Math.floor((chars - fixed) / piece.length))) + end };
}

/** Different pieces: in each, `{n}` is its number, and `{name}` a name of letters only. */
function series(name: string, piece: string, start = '', end = ''): HostileText {
  const make = (chars: number): string => {
    const pieces: string[] = [];
    for (let index = 0, length = start.length + end.length; length < chars; index += 1) {
      const letters = index.toString(26).replaceAll(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
      pieces.push(piece.replaceAll('{n}', String(index)).replaceAll('{name}', letters));
      length += pieces.at(-1)?.length ?? 1;
    }
    return start + pieces.join('') + end;
  };
  return { name, make };
}

const LD = '<script type="application/ld+json">';
const GRAPH = '{"@context":"https://schema.org","@graph":[';
const node = (type: string): string => `{"@context":"https://schema.org","@type":"${type}",`;
const nodes = (name: string, piece: string): HostileText => repeat(name, piece, GRAPH, '{}]}');

/** A page with this JSON-LD that links to three others. */
export const markupPage = (json: string): string =>
  `<!doctype html><title>Bread</title><a href="/a">a</a><a href="/b">b</a><a href="/c">c</a><p>${'Some words of bread. '.repeat(20)}${LD}${json}</script>`;

export const HOSTILE_HTML: readonly HostileText[] = [
  repeat('nothing but <', '<'),
  repeat('nothing but &', '&'),
  repeat('numeric references', '&#x41;'),
  repeat('a million links', '<a>'),
  series('links to different places', '<a href={n}>'),
  repeat('links on a long base', '<a href=x>', `<base href="/${'b'.repeat(3_900)}/">`),
  repeat('depth', '<div>'),
  repeat('templates in templates', '<template>'),
  repeat('a million headings', '<h1></h1>'),
  repeat('attributes on one tag', 'a ', '<p ', '>'),
  repeat('one name of a tag', 'a', '<'),
  repeat('a list of relations', 'a ', '<link href=x rel="', '">'),
  repeat('a million metas', '<meta name=robots content=a>'),
  repeat('one title', 'a ', '<title>', '</title>'),
  repeat('a comment without end', '-', '<!--'),
  repeat('comments', '<!---->'),
  repeat('half ends of a script', '</scrip', '<script>'),
  repeat('scripts', '<script></script>'),
  repeat('types of scripts', `<script type="${','.repeat(4_000)}"></script>`),
  repeat('types of links', `<link href=x type="${','.repeat(4_000)}">`),
  repeat('JSON-LD blocks', `${LD}{}</script>`),
  repeat('scripts in a script', '<script></script>', '<script><!--'),
  repeat('pictures', '<svg><title/></svg>'),
  repeat('depth and ends of others in a picture', '<g></a>', '<a><svg>'),
  repeat('CDATA, now HTML, now not', '<svg><![CDATA[]]></svg>'),
  repeat('NUL', '\0'),
  repeat('NUL in tags', '<p \0=\0>\0'),
  repeat('byte order marks', '\uFEFF'),
  repeat('combining marks', '\u0301\u0323', '<title>a</title><p>'),
  repeat('characters that become many', '\uFDFA ', '<p>'),
  repeat('white space', ' \n\t'),
  repeat('entity bomb', '<!ENTITY a "&b;&b;">', '<!DOCTYPE html [', ']>&a;'),
];

export const HOSTILE_JSON: readonly HostileText[] = [
  repeat('numbers', '1,', '[', '1]'),
  repeat('huge numbers', '1e999,', '[', '1]'),
  repeat('escapes', '\\u0041', '["', '"]'),
  repeat('half escapes', '\\', '["'),
  repeat('depth of arrays', '['),
  repeat('depth of objects', '{"a":'),
  repeat('empty objects', '{},', '[', '1]'),
  series('different keys', '"k{n}":1,', '{', '"a":1}'),
  repeat('one key', '"a":1,', '{', '"a":1}'),
  repeat('keys of every object', '"__proto__":{"a":1},"constructor":1,"toString":1,', '{', '"a":1}'),
  repeat('values without commas', '1 ', '['),
  repeat('white space', ' '),
];

/** For a block of a page. */
export const HOSTILE_JSON_LD: readonly HostileText[] = [
  ...HOSTILE_JSON,
  nodes('small nodes', '{"@type":"Thing"},'),
  nodes('identity nodes', '{"@type":"Organization"},'),
  nodes('web sites with an address', '{"@type":"WebSite","url":"a"},'),
  nodes('products', '{"@type":"Product","name":"x"},'),
  series(
    'misspelt properties',
    '{"@type":["Product","Event","JobPosting"],"namf{name}":1,"nmae":1,"ofers":1,"titel":1,"datPosted":1},',
    GRAPH,
    '{}]}',
  ),
  series('properties of one node', '"x{name}":1,', '{"@context":"https://schema.org",', '"a":1}'),
  series('types of one node', '"X{name}",', '{"@context":"https://schema.org","@type":[', '"A"]}'),
  nodes('one node in many parts', '{"@id":"#a","@type":"Product"},'),
  series('references', '{"@id":"{n}"},', GRAPH, '{}]}'),
  repeat('links', '"http://a",', `${node('Person')}"sameAs":[`, '"a"]}'),
  repeat('dates', '"2020",', `${node('Article')}"datePublished":[`, '"a"]}'),
  repeat('combining marks', '\u0301\u0323', `${node('Article')}"headline":"`, '"}'),
  repeat(
    'list items',
    '{"nmae":1,"itme":2,"positon":3},',
    `${GRAPH}{"@type":"BreadcrumbList","itemListElement":[`,
    '{}]}]}',
  ),
  repeat('questions', '{"nmae":1},', `${GRAPH}{"@type":"FAQPage","mainEntity":[`, '{}]}]}'),
  nodes('contexts', '{"@context":{"a":"b:c"},"@type":"T"},'),
  repeat('contexts in contexts', '{"@context":{"a":"b:c"},"about":'),
  nodes(
    'a vocabulary in a circle',
    '{"@context":[{"a":"b:x","b":"a:y"},{"@vocab":"a:"},{"@vocab":"b"}],"@type":"a:T","a:b":1,"b":2},',
  ),
  repeat('authors of one blog', '{"@id":"#a","url":"/a"},', `${node('Blog')}"author":[`, '{}]}'),
];

export const HOSTILE_MARKDOWN: readonly HostileText[] = [
  ...[
    '> ',
    '[',
    '![',
    '`a``b',
    '1. ',
    '[a](b',
    '#\n',
    '- a\n',
    '- a\n  - b\n',
    '- http://a.b\n',
    '- [a](/b)\n',
    '[a]: b "\n',
  ].map((piece) => repeat(JSON.stringify(piece), piece, '# A\n\n')),
  series('labels and their uses', '[l{n}]: /x\n\n[l{n}] [l{n}0] [l{n}1]\n\n', '# A\n\n'),
  repeat('front matter', 'a: b\n', '---\n'),
];

const URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
/** The longest token of a sitemap that is read. */
const TOKEN_CHARS = 1_000_000;

export const HOSTILE_XML: readonly HostileText[] = [
  repeat('entity bomb', '<!ENTITY a "&b;&b;">', '<?xml version="1.0"?><!DOCTYPE urlset [', `]>${URLSET}&a;</urlset>`),
  ...['"', '<!---->', '<?'].map((piece): HostileText => {
    const { name, make } = repeat(`DOCTYPE of ${piece}`, piece, '<!DOCTYPE urlset [', `]>${URLSET}</urlset>`);
    return { name, make: (chars) => make(Math.min(chars, TOKEN_CHARS)) };
  }),
  repeat('unread entities', '&a;', `<!DOCTYPE urlset [<!ENTITY a "">]>${URLSET}<url><loc>`, '</loc></url></urlset>'),
  repeat('prefixes on each element', '<a:b xmlns:a="c" xmlns:d="e"/>', URLSET, '</urlset>'),
  repeat('undeclared prefixes', '<a:b c:d=""/>', URLSET, '</urlset>'),
  repeat('entries', '<url><loc>http://a</loc></url>', URLSET, '</urlset>'),
  repeat('empty entries', '<url/>', URLSET, '</urlset>'),
  repeat('one entry of many locs', '<loc>http://a</loc>', `${URLSET}<url>`, '</url></urlset>'),
  repeat('one loc', 'a', `${URLSET}<url><loc>http://`, '</loc></url></urlset>'),
  repeat('dates', '<url><loc>http://a</loc><lastmod>2020-01-01T00:00:00.0000Z</lastmod></url>', URLSET, '</urlset>'),
  repeat('a date', '0', `${URLSET}<url><loc>http://a</loc><lastmod>2020-01-01T00:00:00.`, '</lastmod></url></urlset>'),
  repeat('depth', '<a>', URLSET),
  series('namespaces', ' xmlns:a{n}="b"', '<urlset', '/>'),
  repeat('CDATA', '<![CDATA[a]]>', `${URLSET}<url><loc>`, '</loc></url></urlset>'),
  repeat('comments', '<!---->', URLSET, '</urlset>'),
  repeat('lines of text', 'http://a\n'),
];

const OPENAPI = '{"openapi":"3.0.0","info":{"title":"a"},"paths":{"/":';

/** Each is in an otherwise correct document. */
export const HOSTILE_MANIFESTS: readonly HostileText[] = [
  repeat('skills that lack everything', '{},', '{"name":"a","skills":[', '{}]}'),
  repeat(
    'interfaces',
    '{"url":"http://a","protocolBinding":"a","protocolVersion":"1"},',
    '{"supportedInterfaces":[',
    '{}]}',
  ),
  series('security schemes', '"k{n}":{"type":"oauth2"},', '{"url":"http://a","securitySchemes":{', '"x":1}}'),
  series('scopes', '"k{n}":1,', '{"url":"http://a","security":[{', '"x":1}]}'),
  repeat('linkset entries', '{"anchor":"https://a/","item":[{"href":"b"}]},', '{"linkset":[', '{}]}'),
  series('relations', '"r{n}":[{}],', '{"linkset":[{"anchor":"https://a/",', '"item":[]}]}'),
  repeat(
    'MCP entries',
    '{"identifier":"a","type":"application/mcp","data":{"remotes":[]}},',
    '{"specVersion":"1","entries":[',
    '{}]}',
  ),
  series('MCP endpoints', '"k{n}":"/{n}",', '{"name":"a","endpoints":{', '"x":"/x"}}'),
  repeat('remotes', '{"type":"a","url":"https://a"},', '{"remotes":[', '{}]}'),
  repeat('grants', '"a",', '{"issuer":"https://a","grant_types_supported":[', '"a"]}'),
  repeat('servers', '{"url":"http://a.b.c"},', `${OPENAPI}1},"servers":[`, '{}]}'),
  repeat('references in circles', '{"$ref":"#/paths"},', `${OPENAPI}[`, '{}]}}'),
];

const CORE_AGENTS = [
  ...['OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot', 'Googlebot', 'Bingbot', 'Claude-User', 'Applebot'],
];
/** A group for each core agent, and one that names them all. */
const EVERY_AGENT = [
  ...CORE_AGENTS.map((agent) => `User-agent: ${agent}\nDisallow: /${agent}\n`),
  ...CORE_AGENTS.map((agent) => `User-agent: ${agent}\n`),
].join('');

export const HOSTILE_ROBOTS: readonly HostileText[] = [
  repeat('empty lines', '\n'),
  repeat('groups', 'User-agent: a\nDisallow: /\n'),
  series('groups with a signal', 'User-agent: {name}\nDisallow: /\nContent-Signal: search=yes\n'),
  series('names of one group', 'User-agent: {name}\n', '', 'Disallow: /\nContent-Signal: search=yes\n'),
  series('names between signals', 'User-agent: {name}\nContent-Signal: search=yes\n'),
  {
    name: 'one name again and again, with signals',
    make: (chars) =>
      'User-agent: *\n'.repeat(chars / 28) +
      `Content-Signal: ${'search=y, '.repeat(200)}\n`.repeat(chars / 4_040) +
      'User-agent: x\nDisallow: /\n',
  },
  series('rules', 'Disallow: /{n}\n', 'User-agent: *\n'),
  series('rules for each agent', 'Disallow: /{n}\n', EVERY_AGENT),
  repeat('wildcards', 'Disallow: /*a*a*a*a*b\n', 'User-agent: *\n'),
  repeat('wildcards for each agent', 'Disallow: /*a*a*a*a*b\n', EVERY_AGENT),
  repeat('one wildcard rule', '*a', 'User-agent: *\nDisallow: /', 'b$\n'),
  repeat('short encoded rules', 'Disallow: /%41\n', 'User-agent: *\n'),
  repeat('sitemaps', 'Sitemap: http://a\n'),
  repeat('signals', 'Content-Signal: a\n', 'User-agent: *\n'),
  repeat('one signal', ',', 'User-agent: *\nContent-Signal: ', '\n'),
  repeat('byte order marks', '\uFEFF'),
  series(
    'groups with loose keys',
    'User-agent: {name}\nDisallow all: /\u00e9{n}\nDisallow: /caf\u00e9{n}\nAllow: /x\n',
  ),
  series(
    'groups for everybody with loose keys',
    'User-agent: *\nx:\nUser-agents: *\nDisallow all: /\u00e9{n}\nAllow: /\u00e9/index.htm\n',
  ),
  series(
    'wildcards of one agent with loose keys',
    'Disallow: /*\u00e9*a*a*a*{n}b\nDisallow all: /*\u00e9*a*a*a*{n}b\n',
    'User-agent: Googlebot\n',
  ),
  series('names with loose keys', 'User-agent: {name}\n', 'User-agents: *\n', 'Disallow: /\u00e9\n'),
  series(
    'groups with a signal and loose keys',
    'User-agent: {name}\nDisallow: /\u00e9\nDisallow: /\nContent-Signal: search=yes\nAllowed:/x y\n',
  ),
];
