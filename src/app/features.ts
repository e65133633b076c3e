import { accounts } from './accounts/feature.js';
import { alerts } from './alerts/feature.js';
import { audit } from './audit/feature.js';
import { automation } from './automation/feature.js';
import type { EventWords } from './audit/audit.js';
import { badges } from './badges/feature.js';
import { evidence } from './evidence/feature.js';
import { dashboard } from './dashboard/feature.js';
import { data } from './data/feature.js';
import type { Feature } from './feature.js';
import { freeScan } from './free-scan/feature.js';
import { keys } from './keys/feature.js';
import { limits } from './limits/feature.js';
import { runs } from './runs/feature.js';
import { sharing } from './sharing/feature.js';
import { sites } from './sites/feature.js';
import { triage } from './triage/feature.js';

const ALL = [
  limits,
  audit,
  accounts,
  keys,
  sites,
  evidence,
  runs,
  badges,
  sharing,
  automation,
  triage,
  alerts,
  freeScan,
  dashboard,
  data,
] as const;

/** What each feature brings, in the order of the features. */
export const FEATURES: readonly Feature[] = ALL;

type EventOf<Brought> = Brought extends { readonly events: infer Events } ? keyof Events : never;

const WORDS = Object.assign({}, ...FEATURES.map(({ events }) => events)) as Record<
  EventOf<(typeof ALL)[number]>,
  string
>;

/** An event without words in any manifest is refused here. */
export const EVENT_WORDS: EventWords = WORDS;
