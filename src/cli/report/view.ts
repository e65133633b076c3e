import type { Look } from '../command.js';

/** What of a report is shown, and how. */
export interface View extends Look {
  /** The checks whose fixes are shown, if they fail. */
  readonly fixes: 'all' | readonly string[];
  /** Nothing but the score and the failures. */
  readonly isOnlyFailures: boolean;
}

export const PLAIN: View = {
  ...{ hasColour: false, isUnicode: false, columns: 80 },
  ...{ fixes: [], isOnlyFailures: false },
};
