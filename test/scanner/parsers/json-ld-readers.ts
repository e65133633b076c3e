type Nodes = readonly string[];

interface ReadCase {
  readonly what: string;
  readonly block: object;
  /**
   * By jsonld 9.0.0 (npm): its nodes with terms of schema.org, each as its types and its properties, with their values where these are no
   * nodes. PyLD 3.3.0 (PyPI) answers the same where `unlike` does not say otherwise; both were given schema.org's context.
   */
  readonly read: Nodes | string;
  readonly unlike?: { readonly PyLD: Nodes | string };
  /** Where we answer differently: what we read, and which properties of its nodes may have more. */
  readonly ours?: { readonly nodes: Nodes; readonly unread?: readonly string[] };
}

/** JSON-LD that only a reader of the whole standard gets right, and what two such readers answered. */
export const READ_CASES: readonly ReadCase[] = [
  {
    what: '@nest',
    block: {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'A',
      '@nest': { offers: { '@type': 'Offer', price: '5' } },
    },
    read: ['Offer price=5', 'Product name=A offers'],
  },
  {
    what: 'an alias of @nest',
    block: {
      '@context': ['https://schema.org', { details: '@nest' }],
      '@type': 'Product',
      details: { name: 'A', offers: { '@type': 'Offer', price: '5' } },
    },
    read: ['Offer price=5', 'Product name=A offers'],
  },
  {
    what: 'an alias of an alias of @nest',
    block: {
      '@context': ['https://schema.org', { more: 'details', details: '@nest' }],
      '@type': 'Product',
      more: { name: 'A' },
    },
    read: ['Product name=A'],
  },
  {
    what: 'several nests',
    block: {
      '@context': 'https://schema.org',
      '@type': 'Product',
      '@nest': [{ name: 'A' }, { offers: { '@type': 'Offer', price: '5' } }],
    },
    read: ['Offer price=5', 'Product name=A offers'],
  },
  {
    what: 'a nest in a nest',
    block: {
      '@context': ['https://schema.org', { details: '@nest' }],
      '@type': 'Product',
      '@nest': { details: { name: 'A' } },
    },
    read: ['Product name=A'],
  },
  {
    what: 'keywords in a nest',
    block: {
      '@context': 'https://schema.org',
      '@nest': { '@type': 'Product', '@id': 'https://www.fixture-site.com/#p', name: 'A' },
    },
    read: ['Product name=A'],
  },
  {
    what: 'an empty nest',
    block: { '@context': 'https://schema.org', '@type': 'Product', name: 'A', '@nest': {} },
    read: ['Product name=A'],
  },
  {
    what: 'a term that is nested when it is written',
    block: {
      '@context': ['https://schema.org', { name: { '@id': 'schema:name', '@nest': 'details' }, details: '@nest' }],
      '@type': 'Product',
      details: { name: 'A' },
    },
    read: ['Product name=A'],
  },
  {
    what: 'a nest in a child',
    block: {
      '@context': 'https://schema.org',
      '@type': 'WebPage',
      publisher: { '@type': 'Organization', '@nest': { name: 'B' } },
    },
    read: ['Organization name=B', 'WebPage publisher'],
  },
  {
    what: '@graph in a nest',
    block: { '@context': 'https://schema.org', '@nest': { '@graph': [{ '@type': 'Person', name: 'C' }] } },
    read: ['Person name=C'],
  },
  {
    what: '@vocab by a prefix defined before',
    block: { '@context': [{ s: 'https://schema.org/' }, { '@vocab': 's:' }], '@type': 'Product', name: 'A' },
    read: ['Product name=A'],
  },
  {
    what: "@vocab by schema.org's own prefix",
    block: { '@context': ['https://schema.org', { '@vocab': 'schema:' }], '@type': 'Product', name: 'A' },
    read: ['Product name=A'],
  },
  {
    what: '@vocab by a term',
    block: { '@context': [{ s: 'https://schema.org/' }, { '@vocab': 's' }], '@type': 'Product', name: 'A' },
    read: ['Product name=A'],
  },
  {
    what: '@vocab by a prefix of a prefix',
    block: { '@context': [{ h: 'https://', s: 'h:schema.org/' }, { '@vocab': 's:' }], '@type': 'Product', name: 'A' },
    read: ['Product name=A'],
  },
  {
    what: '@vocab by a prefix alongside it',
    block: { '@context': { s: 'https://schema.org/', '@vocab': 's:' }, '@type': 'Product', name: 'A' },
    read: [],
  },
  {
    what: '@vocab by a prefix of another vocabulary',
    block: { '@context': [{ e: 'https://example.com/' }, { '@vocab': 'e:' }], '@type': 'Product', name: 'A' },
    read: [],
  },
  {
    what: "another @vocab behind schema.org's context",
    block: {
      '@context': ['https://schema.org', { '@vocab': 'https://example.com/' }],
      '@type': 'Product',
      name: 'A',
      shelf: 4,
    },
    read: ['Product name=A'],
  },
  {
    what: "no @vocab behind schema.org's context",
    block: { '@context': ['https://schema.org', { '@vocab': null }], '@type': 'Product', name: 'A', shelf: 4 },
    read: ['Product name=A'],
  },
  {
    what: '@id by a compact IRI',
    block: { '@context': ['https://schema.org', { nom: { '@id': 'schema:name' } }], '@type': 'Product', nom: 'A' },
    read: ['Product name=A'],
  },
  {
    what: '@id by a prefix alongside it',
    block: {
      '@context': { s: 'https://schema.org/', nom: { '@id': 's:name' }, Ware: 's:Product' },
      '@type': 'Ware',
      nom: 'A',
    },
    read: ['Product name=A'],
  },
  {
    what: '@id by a term of schema.org',
    block: { '@context': ['https://schema.org', { nom: { '@id': 'name' } }], '@type': 'Product', nom: 'A' },
    read: ['Product name=A'],
  },
  {
    what: '@id by another term',
    block: {
      '@context': { s: 'https://schema.org/', label: { '@id': 'nom' }, nom: { '@id': 's:name' } },
      '@type': 's:Product',
      label: 'A',
    },
    read: ['Product name=A'],
  },
  {
    what: 'a term by another term',
    block: { '@context': { s: 'https://schema.org/', label: 'nom', nom: 's:name' }, '@type': 's:Product', label: 'A' },
    read: ['Product name=A'],
  },
  {
    what: 'a prefix by another term',
    block: { '@context': { s: 'base', base: 'https://schema.org/' }, '@type': 's:Product', 's:name': 'A' },
    read: ['Product name=A'],
  },
  {
    what: 'an alias of an alias of @type',
    block: { '@context': ['https://schema.org', { kind: 'sort', sort: '@type' }], kind: 'Product', name: 'A' },
    read: ['Product name=A'],
  },
  {
    what: 'a term by its own name',
    block: {
      '@context': ['https://schema.org', { name: 'name', offers: { '@id': 'offers' } }],
      '@type': 'Product',
      name: 'A',
      offers: { '@type': 'Offer', price: '5' },
    },
    read: ['Offer price=5', 'Product name=A offers'],
  },
  {
    what: 'a definition holds with the prefix of its own context',
    block: {
      '@context': { s: 'https://schema.org/', nom: 's:name' },
      '@type': 's:Organization',
      's:brand': { '@context': { s: 'https://example.com/' }, nom: 'B' },
    },
    read: ['Organization brand', 'name=B'],
  },
  {
    what: 'a term mapped to null',
    block: {
      '@context': ['https://schema.org', { publisher: null }],
      '@type': 'WebPage',
      name: 'A',
      publisher: { '@type': 'Organization', name: 'B' },
    },
    read: ['WebPage name=A'],
  },
  {
    what: 'an @id mapped to null',
    block: {
      '@context': ['https://schema.org', { publisher: { '@id': null } }],
      '@type': 'WebPage',
      name: 'A',
      publisher: { '@type': 'Organization', name: 'B' },
    },
    read: ['WebPage name=A'],
  },
  {
    what: 'a type mapped to null',
    block: { '@context': ['https://schema.org', { Product: null }], '@type': 'Product', name: 'A' },
    read: ['name=A'],
    unlike: { PyLD: 'invalid: invalid type value' },
  },
  {
    what: 'null behind a term of another vocabulary',
    block: {
      '@context': ['https://schema.org', { e: 'https://example.com/', hidden: null }],
      '@type': 'WebPage',
      'e:part': { hidden: { '@type': 'Organization', name: 'B' }, '@type': 'Person' },
    },
    read: ['Person', 'WebPage'],
  },
  {
    what: 'a term by one that is mapped to null',
    block: {
      '@context': ['https://schema.org', { house: 'hidden', hidden: null }],
      '@type': 'WebPage',
      house: { '@type': 'Organization', name: 'B' },
    },
    read: 'invalid: invalid IRI mapping',
    ours: { nodes: ['WebPage'] },
  },
  {
    what: 'a term of another vocabulary',
    block: {
      '@context': ['https://schema.org', { house: 'https://example.com/house' }],
      '@type': 'WebPage',
      house: { '@type': 'Organization', name: 'B' },
    },
    read: ['Organization name=B', 'WebPage'],
  },
  {
    what: 'a term that leads the other way',
    block: {
      '@context': ['https://schema.org', { house: { '@reverse': 'schema:publisher' } }],
      '@type': 'Organization',
      name: 'B',
      house: { '@type': 'WebPage', name: 'A' },
    },
    read: ['Organization name=B', 'WebPage name=A'],
  },
  {
    what: 'a set',
    block: {
      '@context': ['https://schema.org', { publisher: { '@id': 'schema:publisher', '@container': '@set' } }],
      '@type': 'WebPage',
      name: 'A',
      publisher: [{ '@type': 'Organization', name: 'B' }],
    },
    read: ['Organization name=B', 'WebPage name=A publisher'],
  },
  {
    what: 'a list',
    block: {
      '@context': ['https://schema.org', { publisher: { '@id': 'schema:publisher', '@container': '@list' } }],
      '@type': 'WebPage',
      name: 'A',
      publisher: [{ '@type': 'Organization', name: 'B' }],
    },
    read: ['Organization name=B', 'WebPage name=A publisher'],
  },
  {
    what: 'a set in an array',
    block: {
      '@context': ['https://schema.org', { publisher: { '@id': 'schema:publisher', '@container': ['@set'] } }],
      '@type': 'WebPage',
      name: 'A',
      publisher: [{ '@type': 'Organization', name: 'B' }],
    },
    read: ['Organization name=B', 'WebPage name=A publisher'],
  },
  {
    what: 'texts by language',
    block: {
      '@context': ['https://schema.org', { name: { '@id': 'schema:name', '@container': '@language' } }],
      '@type': 'Product',
      name: { en: 'A', de: ['B', 'C'] },
    },
    read: ['Product name=B,C,A'],
    ours: { nodes: ['Product name=A,B,C'] },
  },
  {
    what: 'a map by index',
    block: {
      '@context': ['https://schema.org', { publisher: { '@id': 'schema:publisher', '@container': '@index' } }],
      '@type': 'WebPage',
      name: 'A',
      publisher: { x: { '@type': 'Organization', name: 'B' } },
    },
    read: ['Organization name=B', 'WebPage name=A publisher'],
    ours: { nodes: ['WebPage name=A'], unread: ['publisher'] },
  },
  {
    what: 'a map by index, as a set',
    block: {
      '@context': [
        'https://schema.org',
        { publisher: { '@id': 'schema:publisher', '@container': ['@index', '@set'] } },
      ],
      '@type': 'WebPage',
      name: 'A',
      publisher: { x: [{ '@type': 'Organization', name: 'B' }] },
    },
    read: ['Organization name=B', 'WebPage name=A publisher'],
    ours: { nodes: ['WebPage name=A'], unread: ['publisher'] },
  },
  {
    what: 'a map by index that is none',
    block: {
      '@context': ['https://schema.org', { publisher: { '@id': 'schema:publisher', '@container': '@index' } }],
      '@type': 'WebPage',
      name: 'A',
      publisher: [{ '@type': 'Organization', name: 'B' }],
    },
    read: ['Organization name=B', 'WebPage name=A publisher'],
  },
  {
    what: 'an empty map by index',
    block: {
      '@context': ['https://schema.org', { publisher: { '@id': 'schema:publisher', '@container': '@index' } }],
      '@type': 'WebPage',
      name: 'A',
      publisher: {},
    },
    read: ['WebPage name=A publisher'],
    ours: { nodes: ['WebPage name=A'] },
  },
  {
    what: 'a map by index of null',
    block: {
      '@context': ['https://schema.org', { publisher: { '@id': 'schema:publisher', '@container': '@index' } }],
      '@type': 'WebPage',
      name: 'A',
      publisher: { x: null },
    },
    read: ['WebPage name=A publisher'],
    ours: { nodes: ['WebPage name=A'] },
  },
  {
    what: 'a map by id',
    block: {
      '@context': ['https://schema.org', { publisher: { '@id': 'schema:publisher', '@container': '@id' } }],
      '@type': 'WebPage',
      name: 'A',
      publisher: { 'https://www.fixture-site.com/#b': { '@type': 'Organization', name: 'B' } },
    },
    read: ['Organization name=B', 'WebPage name=A publisher'],
    ours: { nodes: ['WebPage name=A'], unread: ['publisher'] },
  },
  {
    what: 'a map by type',
    block: {
      '@context': ['https://schema.org', { publisher: { '@id': 'schema:publisher', '@container': '@type' } }],
      '@type': 'WebPage',
      name: 'A',
      publisher: { Organization: { name: 'B' } },
    },
    read: ['Organization name=B', 'WebPage name=A publisher'],
    ours: { nodes: ['WebPage name=A'], unread: ['publisher'] },
  },
  {
    what: 'a named graph',
    block: {
      '@context': ['https://schema.org', { publisher: { '@id': 'schema:publisher', '@container': '@graph' } }],
      '@type': 'WebPage',
      name: 'A',
      publisher: { '@type': 'Organization', name: 'B' },
    },
    read: ['Organization name=B', 'WebPage name=A publisher'],
    ours: { nodes: ['WebPage name=A'], unread: ['publisher'] },
  },
  {
    what: 'a graph as a value',
    block: {
      '@context': 'https://schema.org',
      '@type': 'WebPage',
      name: 'A',
      publisher: { '@graph': [{ '@type': 'Organization', name: 'B' }] },
    },
    read: ['Organization name=B', 'WebPage name=A publisher'],
    ours: { nodes: ['WebPage name=A publisher'], unread: ['publisher'] },
  },
  {
    what: 'a context of one term',
    block: {
      '@context': [
        'https://schema.org',
        { publisher: { '@id': 'schema:publisher', '@context': { nom: 'schema:name' } } },
      ],
      '@type': 'WebPage',
      name: 'A',
      publisher: { '@type': 'Organization', nom: 'B' },
    },
    read: ['Organization name=B', 'WebPage name=A publisher'],
    ours: { nodes: ['WebPage name=A'], unread: ['publisher'] },
  },
  {
    what: 'a context of one term, and a text',
    block: {
      '@context': [
        'https://schema.org',
        { publisher: { '@id': 'schema:publisher', '@context': { nom: 'schema:name' } } },
      ],
      '@type': 'WebPage',
      name: 'A',
      publisher: 'B',
    },
    read: ['WebPage name=A publisher=B'],
  },
  {
    what: 'a context of one type',
    block: {
      '@context': ['https://schema.org', { Product: { '@id': 'schema:Product', '@context': { nom: 'schema:name' } } }],
      '@type': 'Product',
      nom: 'A',
    },
    read: ['Product name=A'],
    ours: { nodes: ['Product'], unread: ['any'] },
  },
  {
    what: 'a context of a type that is not there',
    block: {
      '@context': ['https://schema.org', { Recipe: { '@id': 'schema:Recipe', '@context': { name: 'schema:text' } } }],
      '@type': 'Product',
      name: 'A',
    },
    read: ['Product name=A'],
  },
  {
    what: 'a nest with a context of its own',
    block: {
      '@context': ['https://schema.org', { details: { '@id': '@nest', '@context': { nom: 'schema:name' } } }],
      '@type': 'Product',
      details: { nom: 'A' },
    },
    read: ['Product nom=A'],
    unlike: { PyLD: ['Product name=A'] },
    ours: { nodes: ['Product'], unread: ['any'] },
  },
  {
    what: 'a JSON value',
    block: {
      '@context': ['https://schema.org', { name: { '@id': 'schema:name', '@type': '@json' } }],
      '@type': 'Product',
      name: { x: 1 },
    },
    read: ['Product name={}'],
  },
];
