export { createAccountData as accountData } from '../../src/app/data/account-data.js';
export { createSiteRemoval as siteRemoval } from '../../src/app/data/removal.js';
