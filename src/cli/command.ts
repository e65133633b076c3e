import type { Command } from 'commander';
import type { Check } from '../scanner/verdict/check.js';

export const EXIT = {
  ok: 0,
  notMet: 1,
  /** Wrong usage, or a refused target. */
  usage: 2,
  /** No scored check gave a result. */
  undetermined: 3,
  /** An internal failure. */
  failure: 4,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Abilities of a terminal: ANSI colours, Unicode, and the width of lines. */
export interface Display {
  readonly hasColour: boolean;
  readonly isUnicode: boolean;
  readonly columns: number;
}

/** Writes data to stdout and messages to stderr. */
export interface Output {
  data(text: string): void;
  note(text: string): void;
  /** Replaces the last progress line with `text`; null when stderr is not a terminal. */
  readonly progress: ((text: string) => void) | null;
  readonly display: Display;
}

export type LoadChecks = () => Promise<readonly Check[]>;

/** Runs a command's action and records its exit code. */
export type RunAction = (action: () => Promise<ExitCode | void> | ExitCode | void) => Promise<void>;

export type AddCommand = (program: Command, runAction: RunAction) => void;
