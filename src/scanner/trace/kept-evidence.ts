import type { FetchFailure } from '../../net/failure.js';

/** How a request to somebody else came out: all that is kept of it. */
export type OutcomeClass = 'answered' | 'redirected' | 'refused' | 'failed';

/** A part of a body, in the site's own words but for what looks like a secret, which is masked. */
export interface Excerpt {
  readonly text: string;
  /** The line that it begins in, from 1, where `\n`, `\r\n` or `\r` ends a line. */
  readonly firstLine: number;
  /** The lines that the finding names, ascending; empty if it names none: then this is the beginning. */
  readonly marked: readonly number[];
  /** The values of a JSON document that the finding names, with their lines, also those beyond the excerpt. */
  readonly values?: readonly { readonly pointer: string; readonly line: number }[];
}

/** One request without its redirects, and what the site answered. */
export interface SiteExchange {
  readonly source: 'site';
  readonly isControl: boolean;
  readonly method: 'GET' | 'POST';
  /** Without query and fragment. */
  readonly url: string;
  readonly hasQuery: boolean;
  /** What we sent that the answer may depend on. */
  readonly userAgent: string;
  readonly accept: string;
  /** With its media type; null for a GET. */
  readonly sent: { readonly type: string; readonly body: string } | null;
  /** Of the last try, in whole milliseconds; null if nothing was sent. */
  readonly durationMs: number | null;
  readonly answer:
    | { readonly failure: FetchFailure }
    | {
        readonly status: number;
        /** Those of a fixed list, names in lower case; values masked and cut. */
        readonly headers: readonly (readonly [name: string, value: string])[];
        /** The decoded body as far as it was read; null if it has none. */
        readonly body: { readonly byteCount: number; readonly isOverLimit: boolean; readonly sha256: string } | null;
      };
}

/** No word is kept of other hosts, nor of what our own network alone can see. */
export interface OtherExchange {
  readonly source: 'other host' | 'private address';
  readonly isControl: boolean;
  /** Null for a private address. */
  readonly outcome: OutcomeClass | null;
}

export type KeptExchange = SiteExchange | OtherExchange;

/** The evidence behind one finding. */
export interface FindingEvidence {
  readonly checkId: string;
  /** `exchange` is an index of {@link KeptEvidence.exchanges}. Those come first that it names, or that decide it. */
  readonly restsOn: readonly {
    readonly exchange: number;
    readonly excerpt: Excerpt | null;
    /** It only led to the others, such as a page that names a file. */
    readonly isRemote: boolean;
  }[];
  /** How many more there were. */
  readonly omittedCount: number;
}

/** The exchanges behind the failures of a run, and behind what it could not determine. For the verified owner of the site alone. */
export interface KeptEvidence {
  readonly exchanges: readonly KeptExchange[];
  readonly findings: readonly FindingEvidence[];
  /** Excerpts were dropped to keep within {@link KEPT_BYTES_MAX}. */
  readonly isCut: boolean;
}

/** Of one run, as JSON. */
export const KEPT_BYTES_MAX = 256_000;

export interface ShownExchange {
  readonly exchange: KeptExchange;
  readonly excerpt: Excerpt | null;
  readonly isRemote: boolean;
}

/** The exchanges of one finding, with their excerpts. */
export interface ShownEvidence {
  readonly exchanges: readonly ShownExchange[];
  readonly omittedCount: number;
}

/** The evidence behind a finding of this check; null where nothing is kept. */
export function evidenceOf({ exchanges, findings }: KeptEvidence, checkId: string): ShownEvidence | null {
  const found = findings.find((finding) => finding.checkId === checkId);
  if (!found) return null;
  return {
    exchanges: found.restsOn.flatMap(({ exchange: at, ...rest }) => {
      const exchange = exchanges[at];
      return exchange ? [{ exchange, ...rest }] : [];
    }),
    omittedCount: found.omittedCount,
  };
}
