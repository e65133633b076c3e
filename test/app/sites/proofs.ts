import { alertMail } from '../../../src/app/alerts/alert-text.js';
import type { Alert } from '../../../src/app/alerts/alert.js';
import { recheckOwnership } from '../../../src/app/ownership-recheck.js';
import type { OwnershipAttempt, ProofMethod } from '../../../src/app/sites/proof.js';
import type { Site } from '../../../src/app/sites/site.js';
import { DAY_MS } from '../../../src/platform/clock.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, TestClock } from '../../support/accounts.js';
import { openServices, PUBLIC_URL } from '../../support/services.js';
import { rowsOf, updateRows } from '../../support/tables.js';
import { createTestLogger } from '../../support/test-logger.js';

/** What a check finds. `found in DNS`: there, though another way proved it before. `silent`: no answer arrives. `fault`: our check throws. */
export type ProofState = 'found' | 'found in DNS' | 'unread' | 'absent' | 'gone' | 'silent' | 'fault';

type DeliveryRow = Readonly<Record<'id' | 'body' | 'created_at', string>> & { readonly webhook_id: string | null };

const FIRST_DUE_MS = Date.parse('2026-04-14T12:00:00.000Z');

/** Verified sites that are due on day 1 (2026-04-14), and a process that looks for their proofs. A proof is found unless a test says otherwise. */
export async function openProofs(
  db: Database,
  hosts: readonly string[],
  { hasMail = true, method = 'file' }: { readonly hasMail?: boolean; readonly method?: ProofMethod } = {},
) {
  const clock = new TestClock();
  const { logger, log } = createTestLogger();
  const { sites } = openServices(db, { clock });
  const account = await addAccount(db, 'SCALE', clock);
  if (hasMail) await updateRows(db, 'accounts', {}, { email_alerts_since: '2026-01-01' });
  const ids = new Map<string, string>();
  for (const host of hosts) {
    const { id } = await sites.add({ accountId: account.id, site: host });
    await sites.markVerified(id, method);
    ids.set(host, id);
  }
  const states = new Map<string, ProofState>();
  const asked: string[] = [];
  const world = { controlAnswers: true };
  const checkProof = async ({ hostname }: Site): Promise<readonly OwnershipAttempt[]> => {
    asked.push(hostname);
    const state = states.get(hostname) ?? 'found';
    if (state === 'fault') throw new Error('a fault of ours');
    // A name that does not exist has no record for certain.
    const isAbsent = state === 'absent' || (state === 'gone' && method === 'dns');
    const isAnswered = state !== 'silent';
    const attempt = { method, isProof: state === 'found', isAbsent, isAnswered, expected: '', seen: '' };
    return [attempt, { ...attempt, method: 'dns', isProof: state === 'found in DNS', isAbsent: false }];
  };
  const deps = {
    ...{ db, clock, logger, hasMail, ownership: { checkProof } },
    dns: {
      isNameGone: async (name: string) => states.get(name.replace('_agent-readiness.', '')) === 'gone',
      answersControl: async () => world.controlAnswers,
    },
  };
  const recheck = () => recheckOwnership(deps);
  return {
    ...{ db, clock, log, sites, account, states, asked, world, deps, recheck },
    idOf: (host: string) => ids.get(host) ?? '',
    siteOf: (host: string) => sites.get(ids.get(host) ?? ''),
    /** Looks on a day, a minute past noon so that what was due a day ago is due. */
    async lookOn(day: number, found: Readonly<Record<string, ProofState>> = {}) {
      for (const [host, state] of Object.entries(found)) states.set(host, state);
      clock.time = new Date(FIRST_DUE_MS + (day - 1) * DAY_MS + day * 1000);
      asked.length = 0;
      await recheck();
    },
    /** The messages so far, the mails as they are sent. */
    async messages() {
      const rows = (await rowsOf(db, 'deliveries')) as DeliveryRow[];
      const inOrder = rows.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
      return inOrder.map(({ id, webhook_id: webhookId, body }) => {
        const event = JSON.parse(body) as Alert;
        return { webhookId, event, mail: alertMail(event, { id, to: '' }, PUBLIC_URL) };
      });
    },
  };
}
