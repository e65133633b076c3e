import type { Trigger } from './run.js';

/** What started a run, after "started". */
export const TRIGGER_WORDS: Readonly<Record<Trigger, string>> = {
  MANUAL: 'by hand',
  SCHEDULED: 'by schedule',
  POST_DEPLOY: 'after a deploy',
  API: 'by the API',
};
