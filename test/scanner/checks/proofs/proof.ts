import { failureOf } from '../../../../src/scanner/report/failures.js';
import { fixFor, splitFix } from '../../../../src/scanner/findings/fix-parts.js';
import type { ErrorType } from '../../../../src/scanner/findings/vocabulary.js';
import { FIXTURE_ORIGIN, type FixtureAnswer, type FixtureSite } from '../../../support/fixture-site.js';

export type Routes = FixtureSite['routes'];

/** A site with one kind of failure, and what it serves after its owner did what the fix says. */
export interface Proof {
  readonly failing: Routes;
  /** One way to mend it, or several by name. What they serve comes before what failed. */
  readonly mended: (fix: ReadFix) => Routes | Readonly<Record<string, Routes>>;
}

/** The proofs of one check, by the error types that it has. */
export type Proofs = Readonly<Partial<Record<ErrorType, Proof>>>;

/** A fix as its reader pastes it. */
export interface ReadFix {
  /** The snippet that begins like this. */
  readonly snippet: (start: string) => string;
  /** What a server that follows its nginx block sends for the file of that block. */
  readonly served: (body: string) => Routes;
  /** The nginx block. */
  readonly nginx: string;
}

export function readFix(checkId: string, errorType: ErrorType): ReadFix {
  const fix = failureOf({ checkId, errorType })?.fix ?? '';
  const parts = splitFix(fixFor(FIXTURE_ORIGIN, fix));
  const snippet = (start: string): string => {
    const found = parts.find(({ kind, text }) => kind === 'snippet' && text.startsWith(start));
    if (!found) throw new Error(`no snippet of the fix of ${checkId} ${errorType} begins with ${start}`);
    return found.text;
  };
  const nginx = parts[parts.findIndex(({ kind, text }) => kind === 'server' && text === 'nginx') + 1]?.text ?? '';
  return {
    snippet,
    nginx,
    served: (body) => {
      const path = /location = (\S+)/.exec(nginx)?.[1];
      if (path === undefined) throw new Error(`the fix of ${checkId} ${errorType} serves no file`);
      const type = /default_type "(.+)"/.exec(nginx)?.[1];
      return { [path]: { body, ...(type === undefined ? {} : { type }) } };
    },
  };
}

export const PAGE: FixtureAnswer = { type: 'text/html', body: '<!doctype html><title>Page</title><p>A page' };
/** A machine endpoint that takes no GET. */
export const ALIVE: FixtureAnswer = { status: 405, type: null };

export function json(body: string, type = 'application/json'): FixtureAnswer {
  return { type, body };
}

export function home(markup: string): FixtureAnswer {
  return {
    type: 'text/html',
    body: `<!doctype html><title>Shop</title>${markup}<body><a href="/start">Start</a>`,
  };
}

/** One route that fails in the ways in which a file can. */
export const FAILING = {
  html: PAGE,
  refused: { status: 403, body: 'no' },
  broken: { status: 500, body: 'no' },
  stalled: { failure: 'stalled' },
} as const satisfies Record<string, FixtureAnswer>;
