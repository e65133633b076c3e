import type { Feature } from '../feature.js';
import { countOf } from '../../platform/counts.js';
import { EVENTS_KEPT_DAYS } from '../audit/events-kept.js';
import { LINK_LIFE_MS } from './accounts.js';
import { DEVICE_KNOWN_MS } from './device-statements.js';
import { SESSION_IDLE_MS } from './session-statements.js';
import { SESSION_LIFE_MS } from './sessions.js';
import { deleteOfAccount } from '../kept.js';
import { accountLines } from './account-export.js';
import { cleanUpDevices, deleteDevicesOfAccount } from './device-statements.js';
import { cleanUpSessions, deleteSessionsOfAccount } from './session-statements.js';
import { cleanUpLinks } from './sign-in-link-statements.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const accounts = {
  tables: ['accounts', 'sessions', 'known_devices', 'sign_in_links'],
  closeAccount: [deleteSessionsOfAccount, deleteDevicesOfAccount, deleteOfAccount('sign_in_links')],
  cleanUps: [cleanUpSessions, cleanUpLinks, cleanUpDevices],
  lines: { account: accountLines },
  pages: () => import('./pages/routes.js'),
  events: {
    account_created: 'Account created',
    plan_changed: 'Plan changed',
    sign_in_link_created: 'One-time link created',
    signed_in: 'Signed in',
    wrong_password: 'Wrong password',
    password_changed: 'Password set',
    signed_out: 'Signed out',
    signed_out_everywhere: 'Signed out everywhere',
  },
  privacy: () => ({
    Accounts: [
      'Your e-mail address, name and plan, as the operator entered them, for as long as the account exists.',
      `Your password as a salted scrypt hash. One-time links as digests; they work once and for ${countOf(LINK_LIFE_MS / HOUR_MS, 'hour')}.`,
      `One cookie while you are signed in. The service keeps a digest of it, with the times of its first and last use and the IP address that it began at. It ends after ${countOf(SESSION_IDLE_MS / DAY_MS, 'day')} without use, after ${countOf(SESSION_LIFE_MS / DAY_MS, 'day')} in any case, and when you sign out.`,
      `A second cookie, by which this browser is known to have signed in, so that the wrong passwords of strangers do not keep you out. The service keeps a digest of it, with the time of your last sign-in. It ends ${countOf(DEVICE_KNOWN_MS / DAY_MS, 'day')} after that, and when you sign out everywhere or set a new password.`,
      `What was done to the account, for ${countOf(EVENTS_KEPT_DAYS, 'day')}: sign-ins, wrong passwords, and changes of plan, password, keys, sites, accepted failures, deploy hooks and webhooks, each with its time, who did it, and the IP address that it came from. Only you and the operator can see it.`,
    ],
  }),
} satisfies Feature;
