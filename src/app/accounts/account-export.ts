import { type Database, runOne } from '../../store/database.js';
import { selectAccountToExport } from './account-statements.js';
import { noSuchAccount } from './accounts.js';

/** The account itself. @throws InputError when there is none */
export async function* accountLines(db: Database, accountId: string): AsyncGenerator<object, void> {
  const account = await runOne(db, selectAccountToExport({ id: accountId }));
  if (!account) throw noSuchAccount();
  const { created_at: createdAt, email_alerts_since: emailAlertsSince, ...rest } = account;
  yield { ...rest, createdAt, emailAlertsSince };
}
