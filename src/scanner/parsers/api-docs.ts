/** Programs that show an OpenAPI description to people, and words that mean nothing else. */
const CERTAIN = new Set(['redoc', 'swagger', 'swaggerui', 'rapidoc', 'openapi', 'apidoc', 'apidocs', 'apireference']);
const API = new Set(['api', 'apis', 'rest']);
const DOCS = new Set(['doc', 'docs', 'documentation', 'reference', 'ref', 'guide', 'guides', 'explorer', 'spec']);
/** Names under which there may be documentation of an API, or anything else. */
const POSSIBLE = new Set([...API, 'docs', 'documentation', 'reference', 'developer', 'developers', 'dev']);
/** A longer address is not a name of anything. */
const URL_CHARS_MAX = 300;

/** A description is read by machines, so it is not documentation. */
const DATA_FILE = /\.(?:json|ya?ml|xml)$/;

/** What a page of API documentation has in its source, in lower case: the programs that make most of them, and their titles. */
const SIGNS = [
  'swagger-ui',
  'redoc',
  '@scalar/',
  'rapi-doc',
  '<elements-api',
  'openapi',
  'api reference',
  'api documentation',
  'api docs',
  'rest api',
] as const;

/** Whether an address names documentation of an API: `certain` by its words (/docs/api), `possible` if one of them may mean it. */
export function rankApiDocs({ hostname, pathname, href }: URL): 'certain' | 'possible' | 'no' {
  if (href.length > URL_CHARS_MAX || DATA_FILE.test(pathname)) return 'no';
  const path = wordsOf(pathname);
  const words = [...wordsOf(hostname).slice(0, 1), ...path];
  if (path.some((word) => CERTAIN.has(word))) return 'certain';
  if (words.some((word) => API.has(word)) && words.some((word) => DOCS.has(word))) return 'certain';
  // Deeper pages are about some subject; only the entrance may be about the API.
  const isEntrance = path.length === 0 ? words.length > 0 : path.length <= 2;
  return isEntrance && words.some((word) => POSSIBLE.has(word)) ? 'possible' : 'no';
}

/** Whether the start of a page's source shows that it documents an API. */
export function showsApiDocs(source: string): boolean {
  const text = source.toLowerCase();
  return SIGNS.some((sign) => text.includes(sign));
}

function wordsOf(part: string): string[] {
  return part
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '' && word !== 'html' && word !== 'index');
}
