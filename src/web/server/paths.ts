import type { Link } from '../html/layout.js';
import { OPERATOR_PATH } from './public-pages.js';

/** Paths of the free scan. */
export const SCAN_PATHS = {
  form: '/scan',
  result: (hostname: string) => `/scan/${encodeURIComponent(hostname)}`,
  forAgents: (hostname: string) => `/scan/${encodeURIComponent(hostname)}/agent`,
  markdown: (hostname: string) => `/scan/${encodeURIComponent(hostname)}/markdown`,
};

/** Paths of published badges and reports. */
export const PUBLIC_PATHS = {
  badge: (token: string) => `/badges/${token}.svg`,
  report: (token: string) => `/reports/${token}`,
  reportMarkdown: (token: string) => `/reports/${token}/markdown`,
};

export const SIGN_UP_PATH = '/sign-up';
export const FORGOT_PASSWORD_PATH = '/forgot-password';

/** Returns the link by which a visitor gets an account. @param next page to show once signed in */
export function wayToAccount(isSignUpOpen: boolean, next = ''): Link {
  return isSignUpOpen ? [withNext(SIGN_UP_PATH, next), 'Sign up'] : [OPERATOR_PATH, 'Ask for an account'];
}

/** @param next page to show once signed in; empty for the list of sites */
export function withNext(path: string, next: string): string {
  return next === '' ? path : `${path}?next=${encodeURIComponent(next)}`;
}
