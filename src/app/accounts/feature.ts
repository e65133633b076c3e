import type { Feature } from '../feature.js';
import { deleteOfAccount } from '../kept.js';
import { accountLines } from './account-export.js';
import { cleanUpDevices, deleteDevicesOfAccount } from './device-statements.js';
import { cleanUpSessions, deleteSessionsOfAccount } from './session-statements.js';
import { cleanUpLinks } from './sign-in-link-statements.js';

export const accounts: Feature = {
  tables: ['accounts', 'sessions', 'known_devices', 'sign_in_links'],
  closeAccount: [deleteSessionsOfAccount, deleteDevicesOfAccount, deleteOfAccount('sign_in_links')],
  cleanUps: [cleanUpSessions, cleanUpLinks, cleanUpDevices],
  lines: { account: accountLines },
};
