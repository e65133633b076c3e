import type { HostileKind } from './host.js';
import { CONTENT_KINDS } from './kinds/content.js';
import { DNS_KINDS } from './kinds/dns.js';
import { HTTP_KINDS } from './kinds/http.js';
import { TLS_KINDS } from './kinds/tls.js';
import { siteKind } from './site.js';

/** Kinds whose harm is in how they talk. */
export const HOSTILE_KINDS: readonly HostileKind[] = [...HTTP_KINDS, ...TLS_KINDS, ...DNS_KINDS];

/** Every kind. The content kinds serve megabytes, which takes too long for a quick test. */
export const ALL_KINDS: readonly HostileKind[] = [...HOSTILE_KINDS, ...CONTENT_KINDS];

/** An ordinary site, as the baseline of measurements. */
export const GOOD_KIND: HostileKind = siteKind('a good site', () => ({}));
