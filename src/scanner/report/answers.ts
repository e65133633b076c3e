import { CHECKS } from '../checks/index.js';

/** What is true of a site that passes a check, for findings that say nothing of their own. */
export function answerOf(checkId: string): string {
  return CHECKS.find(({ id }) => id === checkId)?.answer ?? 'The check passed.';
}
