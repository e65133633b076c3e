import type { Finding } from '../../scanner/verdict/finding.js';
import type { Gain } from '../../scanner/report/gain.js';

/** What anyone with the address sees: no evidence, and nothing in the site's own words but its host name. */
export interface SharedReport {
  readonly hostname: string;
  /** Such as `https://www.example.com`: for the snippets of fixes. */
  readonly origin: string;
  readonly score: number | null;
  /** ISO 8601, UTC. */
  readonly finishedAt: string;
  readonly findings: readonly Finding[];
  readonly gains: readonly Gain[];
}

/** What its page shows around it. */
export interface PublishedReport {
  /** Null before the first run. */
  readonly report: SharedReport | null;
  readonly hostname: string;
  /** Of the preview as it is drawn; null until then. */
  readonly pictureTag: string | null;
}

/** A preview as it is sent. */
export interface Picture {
  readonly png: Uint8Array;
  /** A strong entity tag, quotes included. */
  readonly etag: string;
}

/** Draws the preview of a report, as PNG. */
export type DrawPreview = (report: SharedReport) => Promise<Uint8Array>;
