import { moved } from '../../platform/http/answer.js';
import { PUBLIC_PAGES } from '../server/public-pages.js';
import type { Part } from '../server/page-part.js';

/** Addresses that were published once, and where their content is now. */
const MOVED: Readonly<Record<string, string>> = {
  '/reference': PUBLIC_PAGES.api.path,
  '/standards': PUBLIC_PAGES.checks.path,
  '/standards.md': `${PUBLIC_PAGES.checks.path}.md`,
  '/status': `${PUBLIC_PAGES.about.path}#status`,
  '/status.md': `${PUBLIC_PAGES.about.path}.md`,
};

export const addRedirects: Part = (router) => {
  for (const [from, to] of Object.entries(MOVED)) {
    router.get(from, (ctx) => moved(ctx, to));
  }
};
