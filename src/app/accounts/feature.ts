import type { Feature } from '../feature.js';
import { countOf } from '../../platform/counts.js';
import { EVENTS_KEPT_DAYS } from '../audit/events-kept.js';
import { ACCOUNT_MAIL } from './account-mails.js';
import { cleanUpAccountMails, deleteAccountMailsTo } from './account-mail-statements.js';
import { LINK_LIFE_MS } from './accounts.js';
import { DEVICE_KNOWN_MS } from './device-statements.js';
import { SESSION_IDLE_MS } from './session-statements.js';
import { SESSION_LIFE_MS } from './sessions.js';
import { deleteOfAccount } from '../kept.js';
import { accountLines } from './account-export.js';
import { cleanUpDevices, deleteDevicesOfAccount } from './device-statements.js';
import { cleanUpSessions, deleteSessionsOfAccount } from './session-statements.js';
import { cleanUpLinks } from './sign-in-link-statements.js';
import { cleanUpSignUps, deleteSignUpsOf } from './sign-up-statements.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const accounts = {
  tables: ['accounts', 'sessions', 'known_devices', 'sign_in_links', 'sign_ups', 'account_mails'],
  closeAccount: [
    deleteSessionsOfAccount,
    deleteDevicesOfAccount,
    deleteOfAccount('sign_in_links'),
    deleteOfAccount('account_mails'),
    deleteAccountMailsTo,
    deleteSignUpsOf,
  ],
  cleanUps: [cleanUpSessions, cleanUpLinks, cleanUpDevices, cleanUpSignUps, cleanUpAccountMails],
  lines: { account: accountLines },
  pages: () => import('./pages/routes.js'),
  events: {
    account_created: 'Account created',
    plan_changed: 'Plan changed',
    sign_in_link_created: 'One-time link created',
    sign_up_asked: 'Sign-up tried with your address',
    signed_in: 'Signed in',
    wrong_password: 'Wrong password',
    password_link_asked: 'Link to a new password asked for',
    password_changed: 'Password set',
    signed_out: 'Signed out',
    signed_out_everywhere: 'Signed out everywhere',
    signed_out_elsewhere: 'Signed out everywhere else',
  },
  privacy: () => ({
    'As a visitor': [
      {
        what: '**IP address** of who enters a wrong password for an account',
        why: 'So that its owner sees who tried',
        kept: countOf(EVENTS_KEPT_DAYS, 'day'),
      },
      {
        what: '**IP address** of who asks for a link by mail; never otherwise before you sign in',
        why: 'So that the owner of an account sees who asked for one to its address',
        kept: `Until the mail is sent or given up, a day at most; where an account has the address, ${countOf(EVENTS_KEPT_DAYS, 'day')}`,
      },
      {
        what: '**E-mail address** that you give for a link by mail',
        why: 'To send it',
        kept: `Until the mail is sent or given up, a day at most; for a new account until you use the link, or it ends after ${countOf(LINK_LIFE_MS / HOUR_MS, 'hour')}`,
      },
    ],
    'Your account': [
      {
        what: '**E-mail address**, name and plan, as you or the operator entered them',
        why: 'To know who you are and what you may do',
        kept: 'As long as your account',
      },
      { what: '**Password** as a salted scrypt hash', why: 'To let you in', kept: 'Until you change it' },
      {
        what: '**One-time links** as hashes',
        why: 'To let you in, and set a password',
        kept: `They work once and for ${countOf(LINK_LIFE_MS / HOUR_MS, 'hour')}`,
      },
      {
        what: '**Session cookie** while you are signed in: a hash of it, when it was first and last used, and the IP address and kind of browser that it began with',
        why: 'To keep you signed in, and to show you where you are',
        kept: `${countOf(SESSION_IDLE_MS / DAY_MS, 'day')} without use, ${countOf(SESSION_LIFE_MS / DAY_MS, 'day')} in any case, or until you sign out`,
      },
      {
        what: '**Browser cookie** that knows this browser again: a hash of it, and when you last signed in',
        why: 'So that wrong passwords of strangers do not keep you out',
        kept: `${countOf(DEVICE_KNOWN_MS / DAY_MS, 'day')} after your last sign-in, or until you sign out everywhere or set a new password`,
      },
      {
        what: '**Activity:** sign-ins, wrong passwords, links asked for by mail, and changes of plan, password, keys, sites, accepted failures, deploy hooks and webhooks, each with its time, who did it, and the IP address that it came from',
        why: 'So that you see what was done. Only you and the operator can read it',
        kept: countOf(EVENTS_KEPT_DAYS, 'day'),
      },
    ],
  }),
  handlers: ({ accountMailHandler }) => ({ 'account-mails': { [ACCOUNT_MAIL]: accountMailHandler } }),
} satisfies Feature;
