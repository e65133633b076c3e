import type { Command } from 'commander';
import type { Check } from '../scanner/findings/check.js';

/** What a command ends with; the process exits with it. */
export const EXIT = {
  ok: 0,
  /** The site is below the bar that was asked for, or newly fails a check. */
  belowBar: 1,
  /** The command was used wrongly, or its target was refused. */
  usage: 2,
  /** Nothing scorable could be determined. */
  undetermined: 3,
  /** A failure of ours. */
  failure: 4,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Where a command writes. Data go to stdout, everything for a person's eyes beside it to stderr. */
export interface Output {
  data(text: string): void;
  note(text: string): void;
  /** Shows `text` in place of the last progress line; null when stderr is no terminal. */
  readonly progress: ((text: string) => void) | null;
}

/** The registry of checks, for the commands that look at it. */
export type LoadChecks = () => Promise<readonly Check[]>;

/** Runs a command's action and keeps its exit code. */
export type Act = (action: () => Promise<ExitCode | void> | ExitCode | void) => Promise<void>;

/** Adds one command, or one family of commands, to the program. */
export type AddCommand = (program: Command, act: Act) => void;
