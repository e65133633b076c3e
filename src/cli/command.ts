import type { Command } from 'commander';
import type { Check } from '../scanner/verdict/check.js';

export const EXIT = {
  ok: 0,
  notMet: 1,
  /** The command was used wrongly, or its target was refused. */
  usage: 2,
  /** Nothing scorable could be determined. */
  undetermined: 3,
  /** An internal failure. */
  failure: 4,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Capabilities of a terminal: ANSI colours, Unicode, and the width of lines. */
export interface Look {
  readonly hasColour: boolean;
  readonly isUnicode: boolean;
  readonly columns: number;
}

/** Where a command writes: data to stdout, anything else for people to stderr. */
export interface Output {
  data(text: string): void;
  note(text: string): void;
  /** Replaces the last progress line with `text`; null when stderr is not a terminal. */
  readonly progress: ((text: string) => void) | null;
  readonly look: Look;
}

export type LoadChecks = () => Promise<readonly Check[]>;

/** Runs a command's action and records its exit code. */
export type Act = (action: () => Promise<ExitCode | void> | ExitCode | void) => Promise<void>;

export type AddCommand = (program: Command, act: Act) => void;
