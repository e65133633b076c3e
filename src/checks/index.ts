import type { Check } from '../domain/check.js';

/**
 * The check registry: every check in the order of the contract. The description document, the commands, the pages and the
 * scan all read this list; there is no other.
 */
export const CHECKS = [
  // one line a check, in the contract's order
] as const satisfies readonly Check[];
