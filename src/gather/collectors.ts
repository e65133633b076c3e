import type { EvidenceKind } from '../domain/evidence.js';
import type { Collector } from './collector.js';

/** Who gathers each kind of evidence. */
export const COLLECTORS = {
  // one line a kind, in the order of EvidenceMap
} satisfies Partial<{ readonly [K in EvidenceKind]: Collector<K> }>;
