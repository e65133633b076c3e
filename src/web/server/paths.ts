import type { Link } from '../html/layout.js';
import { OPERATOR_PATH } from './public-pages.js';

export const SIGN_UP_PATH = '/sign-up';
export const FORGOT_PASSWORD_PATH = '/forgot-password';

/** Returns the link by which a visitor gets an account. */
export function wayToAccount(isSignUpOpen: boolean): Link {
  return isSignUpOpen ? [SIGN_UP_PATH, 'Sign up'] : [OPERATOR_PATH, 'Ask for an account'];
}
