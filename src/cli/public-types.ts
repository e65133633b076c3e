/* Types of reports that the npm package publishes: their declarations must not reference other packages (src/build/package.ts). */
import type { Answer } from '../scanner/artifacts/answer.js';
import type { SampledPages } from '../scanner/artifacts/pages.js';
import type { Gain } from '../scanner/report/gain.js';
import type { Finding } from '../scanner/verdict/finding.js';
import type { Note } from '../scanner/verdict/note.js';
import type { ErrorType, Pillar, Result } from '../scanner/verdict/vocabulary.js';

export type ScanFormat = 'table' | 'json' | 'markdown' | 'agent' | 'junit' | 'html' | 'github';

/** Output of `scan --format json`: the contract's fields, without those that only stored runs have. */
export interface ScanDocument {
  readonly site: {
    readonly hostname: string;
    /** The scanned origin, such as `http://localhost:4000`. Not in the contract, nor in reports of earlier versions. */
    readonly origin?: string;
    /** The site's origin that a preview was judged as. Not in the contract. */
    readonly judgedAs?: string;
  };
  readonly run: {
    readonly score: number | null;
    readonly startedAt: string;
    readonly finishedAt: string;
    /** Value of --label. Not in the contract. */
    readonly label?: string;
  };
  readonly findings: readonly Finding[];
  /** Advice. Not in the contract, like the fields below. */
  readonly notes: readonly Note[];
  /** Points that fixing each failure adds to the score. */
  readonly gains: readonly Gain[];
  /** Which assistants can read the site, and its policy on training; left out if not examined. */
  readonly assistants?: Answer['assistants'];
  readonly training?: Answer['training'];
  /** The pages that the user chose, and whether they were read; left out if none was chosen. */
  readonly pages?: SampledPages;
}

/** The part of an earlier report or API response that a comparison reads. */
export interface EarlierRun {
  readonly site?: { readonly hostname: string; readonly judgedAs?: string | undefined } | undefined;
  readonly run?:
    { readonly score: number | null; readonly finishedAt: string; readonly label?: string | undefined } | undefined;
  readonly findings: readonly { readonly checkId: string; readonly result: Result }[];
  /** Like {@link ScanDocument.pages}. */
  readonly pages?: SampledPages | undefined;
}

/** A check of the registry, as `checks --format json` prints it. */
export interface DescribedCheck {
  readonly id: string;
  /** Incremented in each release that changes a verdict of some site. */
  readonly revision: number;
  readonly pillar: Pillar | null;
  /** True if its findings count towards the score. */
  readonly scored: boolean;
  readonly title: string;
  /** What the check examines and why it matters. */
  readonly explanation: string;
  readonly errorTypes: readonly ErrorType[];
  /** Headline and fix for each error type. */
  readonly failures: readonly {
    readonly errorType: ErrorType;
    readonly severity: 'SHUT_OUT' | 'BROKEN' | 'MISSING' | 'POLISH';
    readonly headline: string;
    readonly fix: string;
  }[];
  /** The standards that decide the verdict. */
  readonly judgedBy: readonly {
    readonly name: string;
    readonly revision: string;
    readonly date: string;
    readonly url: string;
  }[];
}
