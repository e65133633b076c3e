import type { JSX } from 'preact';
import { Table } from '../../../web/kit/components/table.js';
import { Time } from '../../../web/kit/components/text.js';
import { queryOf } from '../../../web/kit/context.js';
import { sessionOf } from './session.js';
import { countOf } from '../../../platform/counts.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part } from '../../part.js';
import type { AuditEvent, AuditEventName } from '../../audit/audit.js';
import { EVENTS_KEPT_DAYS } from '../../audit/events-kept.js';

const ADDRESS = '/account/activity';

/** What was done to the account, a page at a time. */
export const addActivityPage: Part = (router, { readEvents, clock, sendPage }) => {
  router.get(ADDRESS, async (ctx) => {
    const { account } = sessionOf(ctx);
    const before = queryOf(ctx, 'before') || undefined;
    const { events, next } = await readEvents(account.id, before);
    sendPage(ctx, {
      title: 'Activity',
      main: (
        <>
          <Heading lead={<a href="/account">Account</a>}>Activity</Heading>
          <p>
            Every change of who can get in and of what is stored, kept for {countOf(EVENTS_KEPT_DAYS, 'day')}. If you
            see something that was not you, change your password and revoke your API keys.
          </p>
          {events.length === 0 ? <p>There is nothing earlier.</p> : <Events events={events} now={clock.now()} />}
          {(before !== undefined || next !== null) && (
            <nav aria-label="Pages of the activity" class="row">
              {before !== undefined && <a href={ADDRESS}>Latest</a>}
              {next !== null && <a href={`${ADDRESS}?before=${encodeURIComponent(next)}`}>Earlier</a>}
            </nav>
          )}
        </>
      ),
    });
  });
};

const EVENT_WORDS: Readonly<Record<AuditEventName, string>> = {
  account_created: 'Account created',
  plan_changed: 'Plan changed',
  sign_in_link_created: 'One-time link created',
  signed_in: 'Signed in',
  wrong_password: 'Wrong password',
  password_changed: 'Password set',
  signed_out: 'Signed out',
  signed_out_everywhere: 'Signed out everywhere',
  key_created: 'API key created',
  key_revoked: 'API key revoked',
  site_added: 'Site added',
  site_verified: 'Site verified',
  ownership_forced: 'Site verified by the operator’s word',
  ownership_lost: 'Site no longer verified',
  site_removed: 'Site removed',
  deploy_hook_created: 'Deploy hook created',
  deploy_hook_removed: 'Deploy hook removed',
  schedule_set: 'Schedule set',
  schedule_removed: 'Schedule turned off',
  badge_turned_on: 'Badge turned on',
  badge_renewed: 'Badge given a new address',
  badge_turned_off: 'Badge turned off',
  webhook_added: 'Webhook added',
  webhook_secret_changed: 'Webhook secret changed',
  webhook_enabled: 'Webhook enabled',
  webhook_disabled: 'Webhook disabled',
  webhook_removed: 'Webhook removed',
  email_alerts_turned_on: 'Alerts by e-mail turned on',
  email_alerts_turned_off: 'Alerts by e-mail turned off',
  failure_accepted: 'Failure accepted',
  acceptance_removed: 'Failure no longer accepted',
  evidence_downloaded: 'Evidence downloaded',
  data_exported: 'Data exported',
};

const ACTOR_WORDS: Readonly<Record<AuditEvent['actor'], string>> = {
  holder: 'Account holder',
  operator: 'The operator, by command line',
  service: 'The service',
  unknown: 'Unknown',
};

function Events({ events, now }: { readonly events: readonly AuditEvent[]; readonly now: Date }): JSX.Element {
  return (
    <Table caption="The latest first" head={[['What'], ['When'], ['Who'], ['From']]}>
      {events.map(({ id, at, event, subject, actor, address, count }) => (
        <tr key={id}>
          <th scope="row">
            {EVENT_WORDS[event]}
            {subject !== null && <>: {subject}</>}
            {count > 1 && <>, {count} times within an hour</>}
          </th>
          <td data-label="When">
            <Time at={at} now={now} />
          </td>
          <td data-label="Who">{ACTOR_WORDS[actor]}</td>
          <td data-label="From" class="mono">
            {address ?? '–'}
          </td>
        </tr>
      ))}
    </Table>
  );
}
