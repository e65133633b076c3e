/** The four pillars and what each asks (contract, Finding.pillar). */
export const PILLARS = {
  A: 'discovery surface',
  B: 'access policy',
  C: 'structured data',
  D: 'machine endpoints',
} as const;
export type Pillar = keyof typeof PILLARS;

/** Every error type that a FAIL can carry, with the words that the description document gives it. */
export const ERROR_TYPES = {
  BLOCKED: 'The site refuses access to it: robots.txt, or a 401, 402, 403 or 451 answer.',
  BROKEN_SAMEAS: 'A sameAs link of the structured data is no URL, or leads nowhere.',
  DEAD_LINK: 'A link that the site itself advertises answers 404 or 410, or its host does not exist.',
  ENTITY_INCOMPLETE: 'An entity of the structured data lacks a property that its readers require.',
  FORMAT: 'The file was read, but is not in its format.',
  INVALID_MANIFEST: 'A machine-readable manifest was found, but its format or a required field is wrong.',
  MISSING: 'It is not there.',
  NO_JSONLD: 'No sampled page holds schema.org JSON-LD.',
  NO_NEGOTIATION: 'The pages do not answer in Markdown when asked for it.',
  OVERSIZE: 'It is larger than its readers accept.',
  POLICY_INCONSISTENT: 'Two statements of the access policy contradict each other.',
  SCHEMA_MISMATCH: 'The structured data departs from the schema.org vocabulary, or from what the page shows.',
  STRUCTURE: 'The file is in its format, but its structure is wrong.',
  TIMEOUT: 'It did not answer in time, at every try.',
  UA_REJECTED: 'An agent that robots.txt admits is refused because of its name.',
  UNREACHABLE: 'It failed with a server error or a broken connection, at every try.',
  WK_UNREACHABLE: 'A well-known document, or the endpoint that it names, cannot be reached.',
  WRONG_MIME: 'It is served with a media type that its readers do not accept.',
} as const;
export type ErrorType = keyof typeof ERROR_TYPES;

/** What a check can come to, with the words that the description document gives it. */
export const RESULTS = {
  PASS: 'The site does what the check asks.',
  FAIL: 'A defect was proven; it can be repeated, and the owner of the site can mend it. errorType names its kind.',
  UNDETERMINED:
    'It could not be established this time (the site was unreachable, refused us, or was too slow); detail says why. It stays in the denominator of the score.',
  NOT_APPLICABLE: 'The question cannot be asked of this site; the finding does not count towards the score.',
} as const;
export type Result = keyof typeof RESULTS;
