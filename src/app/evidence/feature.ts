import type { Feature } from '../feature.js';
import { cleanUpEvidence } from './evidence-statements.js';

export const evidence: Feature = {
  tables: ['run_evidence'],
  cleanUps: [cleanUpEvidence],
};
