import type { SampledPages } from '../scanner/artifacts/chosen-pages.js';
import type { Result } from '../scanner/verdict/vocabulary.js';

/** What a comparison reads of an earlier report, or of an answer of the service's API. */
export interface EarlierRun {
  readonly site?: { readonly hostname: string } | undefined;
  readonly run?:
    { readonly score: number | null; readonly finishedAt: string; readonly label?: string | undefined } | undefined;
  readonly findings: readonly { readonly checkId: string; readonly result: Result }[];
  /** Which pages it looked at; left out where none were named. */
  readonly pages?: SampledPages | undefined;
}
