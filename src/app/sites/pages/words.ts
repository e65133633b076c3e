import type { VerifiedBy } from '../site-statements.js';

/** How the ownership of a site's domain was proved. */
export const VERIFIED_BY_WORDS: Readonly<Record<VerifiedBy, string>> = {
  dns: 'a DNS record',
  file: 'a file on the site',
  meta: 'a meta tag on the home page',
  domain: 'a DNS record for the whole domain',
  operator: 'the operator of this service',
};
