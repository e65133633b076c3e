import fc from 'fast-check';
import { textOfAnyCodePoints } from '../support/code-points.js';
import { CONTRACT_OPERATIONS } from '../support/contract.js';
import {
  AUTHORIZATIONS,
  METHODS,
  ODD_LINES,
  ODD_METHODS,
  ODD_NUMBERS,
  ODD_SITES,
  ODD_VERSIONS,
  PATH_BENDS,
  PLAIN_LINES,
  PLAIN_NUMBERS,
  QUERIES,
} from './fuzz-material.js';

/** A line of a head; `isOdd`: a server may refuse the request for it, or wait for what never comes. */
export interface Line {
  readonly text: string;
  readonly isOdd?: boolean;
}
const FRAMINGS = ['none', 'length', 'chunked', 'short', 'long', 'undeclared', 'bad chunk', 'cut chunks'] as const;
const BODY_CONTENTS = [
  ...(['text', 'gzip', 'bom', 'utf16', 'deep JSON', 'duplicate keys', '__proto__', 'another request'] as const),
];
export interface Body {
  readonly framing: (typeof FRAMINGS)[number];
  readonly content: (typeof BODY_CONTENTS)[number];
  readonly bytes: number;
}
/** A request with names in braces, such as `{own}`, for what differs from run to run. */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly authorization: readonly string[];
  readonly lines: readonly Line[];
  readonly body: Body;
}

/** Mostly the first; it shrinks towards that. */
export function mostly<T>(weight: number, usual: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight, arbitrary: usual },
    ...others.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
}

/** Of any code points but lone surrogates, which no encoding takes. */
export const unicode = textOfAnyCodePoints(30).map((text) => text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
/** The same as the bytes of its UTF-8; without what would end the line. */
const anyText = unicode.map((text) =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[\r\n{}]/g, ''),
);
const encodedText = unicode.map(encodeURIComponent);

const number = mostly(
  3,
  fc.constantFrom(...PLAIN_NUMBERS),
  fc.constantFrom(...ODD_NUMBERS),
  fc.constantFrom(...ODD_NUMBERS),
  fc.oneof(fc.integer().map(String), fc.double().map(String), encodedText),
);
const site = mostly(
  6,
  fc.constant('{own}'),
  fc.constantFrom(...ODD_SITES),
  fc.constantFrom(...ODD_SITES),
  anyText,
  encodedText,
);

/** Operations of the document, and the probes that belong to it. */
const operation = fc.constantFrom(
  ...CONTRACT_OPERATIONS.filter(({ object }) => object.operationId !== 'description'),
  ...CONTRACT_OPERATIONS,
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/readyz' },
);
const unbent = fc.constant((path: string) => path);
const bend = mostly(9, unbent, fc.constantFrom(...PATH_BENDS));
const query = mostly(3, fc.constant(''), fc.constantFrom(...QUERIES));
const otherMethod = mostly(
  12,
  fc.constant(null),
  fc.constantFrom(...METHODS),
  fc.constantFrom(...METHODS),
  fc.constantFrom(...ODD_METHODS),
);
const start = fc
  .record({ operation, otherMethod, site, number, bend, query })
  .map(({ operation: { method, path }, ...given }) => ({
    method: given.otherMethod ?? method,
    target:
      given.bend(path.replace('{siteId}', () => given.site).replace('{number}', () => given.number)) + given.query,
  }));

const GOOD = fc.constant<readonly string[]>(['Bearer {good}']);
const plainLine = fc.constantFrom(...PLAIN_LINES).map((text): Line => ({ text }));
const oddLine = fc.constantFrom(...ODD_LINES).map((text): Line => ({ text, isOdd: true }));
const freeLine = fc.tuple(anyText, anyText).map(([name, value]): Line => ({ text: `${name}:${value}`, isOdd: true }));

const NO_BODY: Body = { framing: 'none', content: 'text', bytes: 0 };
const body = fc
  .record<Body>({
    framing: fc.constantFrom('none', 'length', 'chunked', 'length', 'chunked', ...FRAMINGS),
    content: fc.constantFrom(...BODY_CONTENTS),
    bytes: fc.constantFrom(0, 17, 65_536, 65_537, 65_535, 65_536, 65_537, 200_000, 1_048_576),
  })
  // What stands behind the end of a body is another request, if it is one.
  .map((body) => (/long|undeclared/.test(body.framing) ? { ...body, content: 'text' as const } : body));

/** Shrinks towards a plain request with a good key. */
export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc
  .record({
    start,
    version: mostly(20, fc.constant('1.1'), fc.constantFrom(...ODD_VERSIONS)),
    authorization: mostly(2, GOOD, fc.array(fc.constantFrom(...AUTHORIZATIONS), { maxLength: 3 })),
    lines: mostly(
      5,
      fc.array(plainLine, { maxLength: 4 }),
      fc.array(fc.oneof(plainLine, oddLine, freeLine), { maxLength: 4 }),
    ),
    body: mostly(3, fc.constant(NO_BODY), body),
  })
  .map(({ start: { method, target }, ...rest }) => ({ method, target, ...rest }));

/** Requests without tricks, for the steps of a sequence. */
export const plainRead: fc.Arbitrary<FuzzRequest> = fc.record({
  ...{
    method: fc.constant('GET'),
    version: fc.constant('1.1'),
    lines: fc.array(mostly(1, plainLine, fc.constant({ text: 'If-None-Match: *' })), { maxLength: 1 }),
  },
  target: fc.constantFrom('latest', '1', '2', '3', '0').map((run) => `/api/v1/sites/{own}/runs/${run}`),
  authorization: mostly(
    4,
    GOOD,
    fc.constantFrom('Bearer {revoked}', 'Bearer {stranger}').map((value) => [value]),
  ),
  body: fc.constant(NO_BODY),
});
export const plainStart: fc.Arbitrary<FuzzRequest> = plainRead.map((request) => ({
  ...request,
  method: 'POST',
  target: '/api/v1/sites/{own}/runs',
}));
