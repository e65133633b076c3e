import type { EvidenceKind } from '../artifacts/evidence.js';
import type { Severity } from '../verdict/failure.js';
import type { ErrorType, Result } from '../verdict/vocabulary.js';
import { failureOf, rankOf } from './failures.js';

/** The result of a check during its run. Discarded if the run ends without a result. */
export interface EarlyResult {
  readonly checkId: string;
  readonly result: Result;
  /** Set for a failure. */
  readonly errorType?: ErrorType;
}

export interface ScanProgress {
  readonly done: number;
  readonly total: number;
  readonly requestCount: number;
  /** Results in the order of judging. */
  readonly judged: readonly EarlyResult[];
  /** The first kind of evidence that is still being gathered; null if none is, or if it is unknown. */
  readonly reading: EvidenceKind | null;
}

/** Progress of a scan that has not started, or that runs in another process. */
export const NO_PROGRESS: ScanProgress = { done: 0, total: 0, requestCount: 0, judged: [], reading: null };

/** Words that follow "Reading". */
const READING: Readonly<Record<EvidenceKind, string>> = {
  home: 'the home page',
  unknownAddress: 'an address that does not exist',
  robots: 'robots.txt',
  sample: 'a sample of pages',
  preferences: 'preferences for AI use',
  llms: 'llms.txt',
  announcedLlms: 'further llms.txt files',
  llmsDocument: 'llms.txt',
  llmsLinks: 'the links of llms.txt',
  agentReplies: 'how your server answers AI agents',
  sitemap: 'the sitemap',
  sitemapEntries: 'the entries of the sitemap',
  structuredData: 'the structured data',
  sameAs: 'the profiles that sameAs names',
  catalogs: 'catalogs for agents',
  mcp: 'the MCP server card',
  a2a: 'the A2A agent card',
  apiMetadata: 'the API catalog',
  markdown: 'pages as Markdown',
};

/** Describes what a scan is doing: `Reading the sitemap.` */
export function describeReading({ total, reading }: Pick<ScanProgress, 'total' | 'reading'>): string {
  if (total === 0) return 'Starting …';
  return reading === null ? 'Writing the result.' : `Reading ${READING[reading]}.`;
}

export interface EarlyFailure {
  readonly checkId: string;
  readonly headline: string;
  readonly severity: Severity;
}

/** Returns the failures found so far, the most severe first; equal ones in the order of discovery. */
export function failuresSoFar({ judged }: Pick<ScanProgress, 'judged'>): EarlyFailure[] {
  const results = judged.map(({ checkId, errorType = null }) => ({ checkId, errorType }));
  return results
    .sort((a, b) => rankOf(a) - rankOf(b))
    .flatMap((result) => {
      const failure = failureOf(result);
      return failure ? { checkId: result.checkId, headline: failure.headline, severity: failure.severity } : [];
    });
}
