import type { QueueDepth } from '../queue/job-statements.js';
import type { Database } from '../store/database.js';

/** A gauge of what is stored, of all accounts and processes together. */
export interface StoredGauge {
  /** Names the values of its labels. */
  readonly help: string;
  /** None of them holds anything that a site or an account chose. */
  readonly labels: readonly string[];
  readonly read: (look: Look) => readonly Sample[] | Promise<readonly Sample[]>;
}

/** What gauges are read from. */
export interface Look {
  readonly db: Database;
  readonly now: Date;
  /** How many jobs of each kind there are. */
  readonly depths: readonly QueueDepth[];
}

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}
