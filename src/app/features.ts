import { accounts } from './accounts/feature.js';
import { alerts } from './alerts/feature.js';
import { audit } from './audit/feature.js';
import { automation } from './automation/feature.js';
import { badges } from './badges/feature.js';
import { evidence } from './evidence/feature.js';
import type { Feature } from './feature.js';
import { freeScan } from './free-scan/feature.js';
import { keys } from './keys/feature.js';
import { limits } from './limits/feature.js';
import { runs } from './runs/feature.js';
import { sites } from './sites/feature.js';
import { triage } from './triage/feature.js';

/** What each feature brings, in the order of the features. */
export const FEATURES: readonly Feature[] = [
  limits,
  audit,
  accounts,
  keys,
  sites,
  evidence,
  runs,
  badges,
  automation,
  triage,
  alerts,
  freeScan,
];
