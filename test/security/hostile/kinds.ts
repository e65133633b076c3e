import type { HostileKind } from './kind.js';
import { ANSWER_KINDS } from './kinds/answers.js';
import { CODING_KINDS } from './kinds/codings.js';
import { CONTENT_KINDS } from './kinds/content.js';
import { DNS_KINDS } from './kinds/dns.js';
import { FLOOD_KINDS } from './kinds/floods.js';
import { FRAMING_KINDS } from './kinds/framing.js';
import { PHASE_KINDS } from './kinds/phases.js';
import { REDIRECT_KINDS } from './kinds/redirects.js';
import { TLS_KINDS } from './kinds/tls.js';
import { siteKind } from './site.js';

/** The kinds whose harm is in how they talk, by family. */
export const HOSTILE_KINDS: readonly HostileKind[] = [
  ...PHASE_KINDS,
  ...FLOOD_KINDS,
  ...FRAMING_KINDS,
  ...CODING_KINDS,
  ...ANSWER_KINDS,
  ...REDIRECT_KINDS,
  ...TLS_KINDS,
  ...DNS_KINDS,
];

/** Every kind: the others hold megabytes that take too long to read for a quick test. */
export const ALL_KINDS: readonly HostileKind[] = [...HOSTILE_KINDS, ...CONTENT_KINDS];

/** An ordinary site, to measure from. */
export const GOOD_KIND: HostileKind = siteKind('nothing: a good site', () => ({}));
