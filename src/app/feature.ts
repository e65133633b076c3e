import type { AuditEventName } from './audit/audit.js';
import type { Kept } from './kept.js';
import type { Part } from './part.js';
import type { Handlers, Upkeep, Work } from './work.js';

/** The sections of the privacy page that features speak in. */
export type PrivacySection = 'As a visitor' | 'Free scans' | 'Your account' | 'Sites and runs' | 'Alerts';

/** One row of the privacy page. Cells are Markdown without `|`. */
export interface KeptData {
  readonly what: string;
  readonly why: string;
  /** For how long. */
  readonly kept: string;
}

/** What a feature brings to the service. */
export interface Feature extends Kept {
  /** Loaded where pages are served: they are most of the program, and no command needs them. */
  readonly pages?: () => Promise<{ readonly PAGES: readonly Part[] }>;
  /** What the page of an account's activity calls the events that it records. */
  readonly events?: Readonly<Partial<Record<AuditEventName, string>>>;
  /** What the privacy page says of what it keeps. @param settings the operator's */
  readonly privacy?: (settings: {
    readonly evidenceDays: number;
  }) => Readonly<Partial<Record<PrivacySection, readonly KeptData[]>>>;
  /** What performs its jobs. */
  readonly handlers?: (work: Work) => Handlers;
  readonly upkeep?: (work: Work) => readonly Upkeep[];
}
