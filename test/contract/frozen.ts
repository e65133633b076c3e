import type { ErrorType } from '../../src/scanner/verdict/vocabulary.js';

/**
 * The ids and error types that the contract names, in its order. A change here says that a change of the enums is meant:
 * generated clients know these values. An id that is retired stays, since runs of old hold it.
 */
export const FROZEN_CHECK_IDS = [
  ...['C-LLMS-01', 'C-LLMS-02', 'C-LLMS-03', 'C-LLMS-04', 'C-SITE-01', 'C-SITE-02', 'C-BOT-01', 'C-BOT-02', 'C-BOT-03'],
  ...['C-SD-01', 'C-SD-02', 'C-SD-03', 'C-SD-04', 'C-WK-01', 'C-WK-02', 'C-WK-03', 'C-MD-01', 'C-FWD-01'],
];

/** The error types in their order, and which checks can fail in this way. */
export const FROZEN_PRODUCERS: Readonly<Record<ErrorType, string>> = {
  BLOCKED: 'C-LLMS-01 C-SITE-01 C-BOT-01',
  BROKEN_SAMEAS: 'C-SD-04',
  DEAD_LINK: 'C-LLMS-03 C-SITE-02',
  ENTITY_INCOMPLETE: 'C-SD-03',
  FORMAT: 'C-LLMS-02 C-SITE-01 C-SD-01 C-FWD-01',
  INVALID_MANIFEST: 'C-WK-01 C-WK-02 C-WK-03',
  MISSING: 'C-LLMS-01 C-SITE-01 C-WK-01 C-WK-02 C-WK-03 C-FWD-01',
  NO_JSONLD: 'C-SD-01',
  NO_NEGOTIATION: 'C-MD-01',
  OVERSIZE: 'C-LLMS-04 C-SITE-02 C-BOT-01',
  POLICY_INCONSISTENT: 'C-BOT-02',
  SCHEMA_MISMATCH: 'C-SD-02',
  STRUCTURE: 'C-LLMS-02 C-SITE-02',
  TIMEOUT: 'C-LLMS-01 C-SITE-01 C-BOT-01 C-BOT-03',
  UA_REJECTED: 'C-BOT-03',
  UNREACHABLE: 'C-LLMS-01 C-SITE-01 C-BOT-01',
  WK_UNREACHABLE: 'C-WK-01 C-WK-02 C-WK-03',
  WRONG_MIME: 'C-LLMS-01 C-SITE-01 C-BOT-01 C-MD-01',
};
