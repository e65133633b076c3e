import type { JSX } from 'preact';

/** One component with its states. */
export interface SheetPart {
  /** In letters and hyphens. */
  readonly id: string;
  readonly name: string;
  readonly use: string;
  readonly avoid: string;
  readonly content: () => JSX.Element;
}
