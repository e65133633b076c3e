import type { Database } from '../../store/database.js';
import { selectAccountToExport } from './account-statements.js';

/** The account itself. */
export async function* accountLines(db: Database, id: string): AsyncGenerator<object, void> {
  for (const account of await db.run(selectAccountToExport({ id }))) {
    const { created_at: createdAt, email_alerts_since: emailAlertsSince, ...rest } = account;
    yield { ...rest, createdAt, emailAlertsSince };
  }
}
