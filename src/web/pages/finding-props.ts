import type { ShownEvidence } from '../../scanner/trace/kept-evidence.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { FieldErrors } from '../server/form.js';
import type { RunReport } from '../../app/runs/history.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import type { Annotations } from './annotations.js';

/** A finding, with all that its page tells of it. */
export interface Found {
  readonly site: OwnSite;
  readonly report: RunReport;
  readonly finding: Finding;
  /** Null where nothing is kept. */
  readonly shown: ShownEvidence | null;
  /** Of the last time that the check was made again. */
  readonly again: ShownEvidence | null;
}

/** The same, with what belongs to it now. */
export interface FindingProps extends Found {
  /** Null for a run that is not the latest of a verified site. */
  readonly annotations: Annotations | null;
  readonly evidenceDays: number;
  readonly contact: string | null;
  readonly errors: FieldErrors | null;
  readonly now: Date;
}
