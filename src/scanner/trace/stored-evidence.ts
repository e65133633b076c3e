import type { FetchFailure } from '../../net/failure.js';

/** Outcome of a request to another host. Nothing else about it is stored. */
export type OutcomeClass = 'answered' | 'redirected' | 'refused' | 'failed';

/** A part of a body. Contains text of the site. */
export interface Excerpt {
  readonly text: string;
  /** Number of the first line, from 1. Lines end with `\n`, `\r\n` or `\r`. */
  readonly firstLine: number;
  /** Numbers of the lines that the finding names, ascending. If there are none, the excerpt is the start of the body. */
  readonly marked: readonly number[];
  /** The values of a JSON document that the finding names, including those beyond the excerpt. */
  readonly values?: readonly { readonly pointer: string; readonly line: number }[];
}

/** One request, without its redirects, and the site's response. */
export interface SiteExchange {
  readonly source: 'site';
  readonly isControl: boolean;
  readonly method: 'GET' | 'POST';
  /** Without query and fragment. */
  readonly url: string;
  readonly hasQuery: boolean;
  readonly userAgent: string;
  readonly accept: string;
  /** The body of a POST; null for a GET. */
  readonly sent: { readonly type: string; readonly body: string } | null;
  /** Duration of the last try; null if nothing was sent. */
  readonly durationMs: number | null;
  readonly answer:
    | { readonly failure: FetchFailure }
    | {
        readonly status: number;
        /** Header fields of a fixed list, with names in lower case and cut values. */
        readonly headers: readonly (readonly [name: string, value: string])[];
        /** The decoded body as far as it was read; null if it has none. */
        readonly body: { readonly byteCount: number; readonly isOverLimit: boolean } | null;
      };
}

/** An exchange with another host, or with a private address. None of its text is stored. */
export interface OtherExchange {
  readonly source: 'other host' | 'private address';
  readonly isControl: boolean;
  /** Null for a private address. */
  readonly outcome: OutcomeClass | null;
}

export type StoredExchange = SiteExchange | OtherExchange;

/** The evidence behind one finding. */
export interface FindingEvidence {
  readonly checkId: string;
  /** `exchange` is an index into {@link StoredEvidence.exchanges}. The most important come first. */
  readonly exchanges: readonly {
    readonly exchange: number;
    readonly excerpt: Excerpt | null;
    /** True if it only led to the others, such as a page that names a file. */
    readonly isRelated: boolean;
  }[];
  /** Number of exchanges that are not listed. */
  readonly omittedCount: number;
}

/** Exchanges behind the failures and undetermined checks of a run, for the verified owner of the site only. */
export interface StoredEvidence {
  readonly exchanges: readonly StoredExchange[];
  readonly findings: readonly FindingEvidence[];
}

/** Maximum size of the evidence of one run, in bytes of JSON. */
export const STORED_BYTES_MAX = 256_000;

export interface ShownExchange {
  readonly exchange: StoredExchange;
  readonly excerpt: Excerpt | null;
  readonly isRelated: boolean;
}

/** Exchanges of one finding with their excerpts. */
export interface ShownEvidence {
  readonly exchanges: readonly ShownExchange[];
  readonly omittedCount: number;
}

/** Returns the evidence behind a finding of this check; null if none is stored. */
export function evidenceOf({ exchanges, findings }: StoredEvidence, checkId: string): ShownEvidence | null {
  const found = findings.find((finding) => finding.checkId === checkId);
  if (!found) return null;
  return {
    exchanges: found.exchanges.flatMap(({ exchange: index, ...rest }) => {
      const exchange = exchanges[index];
      return exchange ? [{ exchange, ...rest }] : [];
    }),
    omittedCount: found.omittedCount,
  };
}
