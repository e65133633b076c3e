/**
 * The ids and error types that the contract names, in its order. A change here says that a change of the enums is meant:
 * generated clients know these values. An id that is retired stays, since runs of old hold it.
 */
export const FROZEN_CHECK_IDS = [
  'C-LLMS-01',
  'C-LLMS-02',
  'C-LLMS-03',
  'C-LLMS-04',
  'C-SITE-01',
  'C-SITE-02',
  'C-BOT-01',
  'C-BOT-02',
  'C-BOT-03',
  'C-SD-01',
  'C-SD-02',
  'C-SD-03',
  'C-SD-04',
  'C-WK-01',
  'C-WK-02',
  'C-WK-03',
  'C-MD-01',
  'C-FWD-01',
];

export const FROZEN_ERROR_TYPES = [
  'BLOCKED',
  'BROKEN_SAMEAS',
  'DEAD_LINK',
  'ENTITY_INCOMPLETE',
  'FORMAT',
  'INVALID_MANIFEST',
  'MISSING',
  'NO_JSONLD',
  'NO_NEGOTIATION',
  'OVERSIZE',
  'POLICY_INCONSISTENT',
  'SCHEMA_MISMATCH',
  'STRUCTURE',
  'TIMEOUT',
  'UA_REJECTED',
  'UNREACHABLE',
  'WK_UNREACHABLE',
  'WRONG_MIME',
];
