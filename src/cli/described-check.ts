import type { ErrorType, Pillar } from '../scanner/verdict/vocabulary.js';

/** A check of the registry, as `checks --format json` prints it. */
export interface DescribedCheck {
  readonly id: string;
  /** Counts up by one in a release in which the check judges some site differently than in the one before. */
  readonly revision: number;
  readonly pillar: Pillar | null;
  /** Whether its findings count towards the score. */
  readonly scored: boolean;
  readonly title: string;
  /** What it examines and why it matters. */
  readonly explanation: string;
  readonly errorTypes: readonly ErrorType[];
  /** What is wrong with each kind of failure, and how to fix it. */
  readonly failures: readonly {
    readonly errorType: ErrorType;
    readonly severity: 'SHUT_OUT' | 'BROKEN' | 'MISSING' | 'POLISH';
    readonly headline: string;
    readonly fix: string;
  }[];
  /** The standards that decide, in the revision that was read. */
  readonly judgedBy: readonly {
    readonly name: string;
    readonly revision: string;
    readonly date: string;
    readonly url: string;
  }[];
}
