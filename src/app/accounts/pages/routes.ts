import type { Part } from '../../part.js';
import { addOneTimeLinkRoutes } from './one-time-link.js';
import { addSessionRoutes } from './sessions.js';
import { addSignInRoutes } from './sign-in.js';

/** Signing in and out. */
export const ACCOUNT_PAGES: readonly Part[] = [addSignInRoutes, addOneTimeLinkRoutes, addSessionRoutes];
