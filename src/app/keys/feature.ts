import type { Feature } from '../feature.js';
import { deleteOfAccount } from '../kept.js';
import { keyLines } from './key-export.js';
import { cleanUpKeyUsage } from './key-usage-statements.js';

export const keys: Feature = {
  tables: ['api_keys', 'key_usage'],
  closeAccount: [deleteOfAccount('api_keys')],
  cleanUps: [cleanUpKeyUsage],
  lines: { key: keyLines },
};
