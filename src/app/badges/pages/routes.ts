import { ServiceError } from '../../../platform/errors.js';
import { paramOf } from '../../../web/kit/context.js';
import type { Part } from '../../part.js';
import { sendDocument } from '../../../web/kit/send-document.js';
import { badgePath } from './address.js';
import { drawBadge } from './badge.js';

/** A picture opened directly loads nothing and runs nothing; any page may embed it. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; sandbox";

/** The badges that sites show elsewhere: for anyone with the address, on pages of any origin. */
const addBadgeRoutes: Part = (router, { badges }) => {
  router.get(badgePath(':token'), async (ctx) => {
    const badge = await badges.find(paramOf(ctx, 'token'));
    if (!badge) throw new ServiceError('not_found');
    ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    sendDocument(ctx, {
      type: 'image/svg+xml; charset=utf-8',
      text: drawBadge(badge),
      // Caches between us and a reader may hold it for as long as a score is news.
      cacheControl: 'public, max-age=300',
    });
  });
};

export const PAGES: readonly Part[] = [addBadgeRoutes];
