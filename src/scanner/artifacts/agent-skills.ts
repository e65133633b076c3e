import type { SafeText } from './safe-text.js';

/** What a site publishes of agent skills. */
export interface AgentSkills {
  /** `legacy` is /.well-known/skills/, of version 0.1.0; null where there is no index. */
  readonly place: 'current' | 'legacy' | null;
  /** `foreign`: it names no version of the standard, so clients leave it. */
  readonly schema: 'current' | 'other' | 'foreign';
  /** What is wrong with the index at the current place, phrased to follow "The index". */
  readonly problems: readonly SafeText[];
  /** The first skill's file: its digest is that of the index or not, or it is not there. `unknown` also if it was not asked. */
  readonly firstFile: 'right' | 'wrong' | 'gone' | 'unknown';
}
