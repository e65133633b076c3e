/** The four pillars and what each covers (contract, Finding.pillar). */
export const PILLARS = {
  A: 'discovery surface',
  B: 'access policy',
  C: 'structured data',
  D: 'machine endpoints',
} as const;
export type Pillar = keyof typeof PILLARS;

/** Every error type of a FAIL, with its description for the OpenAPI document. */
export const ERROR_TYPES = {
  BLOCKED: 'The site refuses access: by robots.txt, or with status 401, 402, 403 or 451.',
  BROKEN_SAMEAS: 'A sameAs link of the structured data is not a URL, or leads nowhere.',
  DEAD_LINK: 'A link that the site itself advertises returns status 404 or 410, or its host does not exist.',
  ENTITY_INCOMPLETE: 'An entity of the structured data lacks a property that its readers require.',
  FORMAT: 'The file or block can be read, but has the wrong format.',
  INVALID_MANIFEST: 'A well-known document exists, but its format or a required field is wrong.',
  MISSING: 'The site lacks what the check looks for.',
  NO_JSONLD: 'No sampled page has JSON-LD with schema.org terms.',
  NO_NEGOTIATION:
    'The pages are not served as Markdown to clients that ask for it, or are served as Markdown to clients that ask for HTML.',
  OVERSIZE: 'The file is larger than its readers accept.',
  POLICY_INCONSISTENT: 'Two statements of the access policy contradict each other.',
  SCHEMA_MISMATCH: 'The structured data does not match the schema.org vocabulary, or what the page shows.',
  STRUCTURE: 'The file has the right format, but its structure is wrong.',
  TIMEOUT: 'No try got a response in time.',
  UA_REJECTED: 'An AI agent that robots.txt allows is refused because of its name.',
  UNREACHABLE: 'Every try failed with a server error or a broken connection.',
  WK_UNREACHABLE: 'A well-known document, or the endpoint that it names, cannot be reached.',
  WRONG_MIME: 'A file or page is served with a media type that its readers do not accept.',
} as const;
export type ErrorType = keyof typeof ERROR_TYPES;

/** Every result of a check, with its description for the OpenAPI document. */
export const RESULTS = {
  PASS: 'The site does what the check asks.',
  FAIL: 'A defect is proven: it can be reproduced, and the owner of the site can fix it. errorType names its kind.',
  UNDETERMINED:
    'This run could not establish a result, for example because the site was down, too slow or refused the scanner; detail says why. It counts in the score as not passed.',
  NOT_APPLICABLE: 'The check does not apply to this site, and does not count towards the score.',
} as const;
export type Result = keyof typeof RESULTS;
