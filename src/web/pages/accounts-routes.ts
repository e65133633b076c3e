import type { Part } from '../server/page-part.js';
import { addActivityPage } from './activity-page.js';
import { addForgotPasswordRoutes } from './forgot-password.js';
import { addOneTimeLinkRoutes } from './one-time-link.js';
import { addSessionRoutes } from './sessions.js';
import { addSignInRoutes } from './sign-in.js';
import { addSignUpRoutes } from './sign-up.js';

/** Sign-up, sign-in, sign-out and activity. */
export const PAGES: readonly Part[] = [
  addActivityPage,
  addSignInRoutes,
  addSignUpRoutes,
  addForgotPasswordRoutes,
  addOneTimeLinkRoutes,
  addSessionRoutes,
];
