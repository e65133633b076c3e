import type { ComponentChildren } from 'preact';
import { seeOther } from '../../platform/http/answer.js';
import { queryOf, type WebContext } from './context.js';

/** Sentences after something was done, by their code in the query. Pages without an error show them. */
const NOTICES = {
  'account-deleted': 'Your account, its sites and all of their runs are deleted.',
  'signed-out': 'You are signed out.',
  password: 'Your password is set. You are signed out everywhere else.',
  session: 'That session has ended.',
  others: 'Every other session has ended. API keys keep working.',
  'key-revoked': 'The key is revoked. Every request with it is refused now.',
  'email-on': 'Alerts go to your e-mail address from now on.',
  'email-off': 'No more alerts go to your e-mail address.',
  'webhook-added': 'The webhook is added. Send a test to see what arrives.',
  'webhook-removed': 'The webhook and its log are removed.',
  test: 'A test is on its way. The result will appear under Deliveries.',
  enabled: 'The webhook is on.',
  site: 'The sites of the webhook are saved.',
  added: 'The site is added. We don’t scan it until you’ve verified it.',
  'added-from-page': 'You gave the address of a page. A site is the whole host, so that is what we added.',
  verified: 'The domain is verified.',
  accepted: 'The failure is accepted. It is listed under “Accepted”.',
  'not-accepted': 'The failure is no longer accepted.',
  removed: 'The site and its runs are removed.',
  tags: 'The tags are saved.',
  'mail-on': 'Alerts of this site go to your e-mail address.',
  'mail-off': 'No more alerts of this site go to your e-mail address.',
  pages: 'The pages are saved: the next run checks them.',
  'no-pages': 'No pages are chosen: runs check the pages that the home page links to.',
  scheduled: 'The schedule is saved.',
  'hook-removed': 'The deploy hook is removed. Calls to its address are refused.',
  'badge-on': (
    <>
      The badge is on. <a href="#badge">Copy its code</a>
    </>
  ),
  'badge-replaced': 'The badge has a new address.',
  'badge-off': 'The badge is off.',
  'report-on': 'The report is public, at the address below.',
  'report-off': 'The report is no longer public. Its address no longer works.',
} satisfies Record<string, ComponentChildren>;

export type NoticeCode = keyof typeof NOTICES;

/** The notice that the address asks for; undefined without one. */
export function requestedNotice(ctx: WebContext): ComponentChildren {
  const code = queryOf(ctx, 'notice');
  return Object.hasOwn(NOTICES, code) ? NOTICES[code as NoticeCode] : undefined;
}

/** Redirects to a page, which then shows the notice. */
export function seeNotice(ctx: WebContext, path: string, code: NoticeCode): void {
  seeOther(ctx, `${path}?notice=${code}`);
}
