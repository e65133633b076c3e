import { digestAuditLink } from '../../src/app/audit/audit-chain.js';
import { connectRaw, type RawConnection } from './raw-connection.js';

/** Runs statements as the owner of a table can, past one of its guards, which is put back as it was. */
export async function runPastGuard(url: string, table: string, guard: string, statements: string): Promise<void> {
  const raw = await connectRaw(url);
  try {
    if (url.startsWith('sqlite:')) {
      const [trigger] = await raw.read(`SELECT sql FROM sqlite_master WHERE name = '${guard}'`);
      await raw.exec(`BEGIN; DROP TRIGGER ${guard}; ${statements}; ${String(trigger?.sql)}; COMMIT`);
    } else {
      const alter = `ALTER TABLE ${table}`;
      await raw.exec(`${alter} DISABLE TRIGGER ${guard}; ${statements}; ${alter} ENABLE ALWAYS TRIGGER ${guard}`);
    }
  } finally {
    await raw.close();
  }
}

/**
 * Makes the links of an account again as they would be if some had been made so many days ago: what goes by the clock of the database can
 * be tried today.
 * @param daysAgo by the number of the link
 */
export async function dateLinksBack(
  url: string,
  accountId: string,
  daysAgo: (number: number) => number,
): Promise<void> {
  const raw = await connectRaw(url);
  const updates = await describeUpdates(raw, accountId, daysAgo).finally(() => raw.close());
  await runPastGuard(url, 'audit_chain', 'audit_chain_no_update', updates);
}

async function describeUpdates(
  raw: RawConnection,
  accountId: string,
  daysAgo: (number: number) => number,
): Promise<string> {
  const links = await raw.read(
    `SELECT number, event_id, content FROM audit_chain WHERE account_id = '${accountId}' ORDER BY number`,
  );
  const updates: string[] = [];
  let before: string | null = null;
  for (const link of links) {
    const [number, event_id, content] = [Number(link.number), String(link.event_id), String(link.content)];
    const linked_at = new Date(Date.now() - daysAgo(number) * 86_400_000).toISOString();
    const digest = digestAuditLink(accountId, { number, event_id, content, linked_at, before, epoch_id: 'first' });
    const prior: string = before === null ? 'NULL' : `'${before}'`;
    updates.push(
      `UPDATE audit_chain SET linked_at = '${linked_at}', before = ${prior}, digest = '${digest}'
        WHERE account_id = '${accountId}' AND number = ${number}`,
    );
    before = digest;
  }
  return updates.join('; ');
}
