import type { Part } from '../../../web/part.js';
import { addActivityPage } from '../../audit/pages/activity-page.js';
import { addDeleteAccountRoutes } from '../../data/pages/delete-account.js';
import { addExportRoute } from '../../data/pages/export.js';
import { addKeyListRoutes } from '../../dashboard/pages/key-list.js';
import { addOneTimeLinkRoutes } from './one-time-link.js';
import { addRevokeKeyRoutes } from '../../keys/pages/revoke-key.js';
import { addSessionRoutes } from './sessions.js';
import { addSettingsRoutes } from '../../dashboard/pages/account-page.js';
import { addSignInRoutes } from './sign-in.js';

/** Sign-in, the account, and its API keys. */
export const addAccountRoutes: Part = (router, deps) => {
  for (const addRoutes of [
    addSignInRoutes,
    addOneTimeLinkRoutes,
    addSettingsRoutes,
    addSessionRoutes,
    addActivityPage,
    addExportRoute,
    addDeleteAccountRoutes,
    addKeyListRoutes,
    addRevokeKeyRoutes,
  ]) {
    addRoutes(router, deps);
  }
};
