import type { Context } from '../../src/app/context.js';
import { exportAccount } from '../../src/app/data/exports.js';
import { createAccountRemoval } from '../../src/app/data/removal.js';

export { createSiteRemoval as siteRemoval } from '../../src/app/data/removal.js';

export function accountData(context: Pick<Context, 'db' | 'clock'> & Partial<Pick<Context, 'logger'>>) {
  return { ...createAccountRemoval(context), exportAll: (id: string) => exportAccount(context, id) };
}
