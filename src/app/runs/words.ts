import type { Trigger } from './run.js';
import type { Site } from '../sites/sites.js';

/** What started a run, after "started". */
export const TRIGGER_WORDS: Readonly<Record<Trigger, string>> = {
  MANUAL: 'by hand',
  SCHEDULED: 'by schedule',
  POST_DEPLOY: 'after a deploy',
  API: 'by the API',
};

/** How the ownership of a site's domain was proved. */
export const VERIFIED_BY_WORDS: Readonly<Record<NonNullable<Site['verifiedBy']>, string>> = {
  dns: 'a DNS record',
  file: 'a file on the site',
  meta: 'a meta tag on the home page',
  operator: 'the operator of this service',
};
