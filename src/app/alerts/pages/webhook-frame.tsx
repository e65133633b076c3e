import type { JSX } from 'preact';
import { ActionButton } from '../../../web/kit/components/form.js';
import { HostName, isLongName, Mast } from '../../../web/kit/components/mast.js';
import { Time } from '../../../web/kit/components/text.js';
import type { Webhook } from '../webhook.js';
import type { Webhooks } from '../webhooks.js';
import { alertsAddress } from './addresses.js';
import { DeliveryPins } from './states.js';
import { Fold } from '../../../web/kit/components/fold.js';
import { Facts, RailPart } from '../../../web/kit/components/two.js';

/** The log: when script loads it again, what else tells of it comes along. */
export const LOG_ID = 'log';

/** A webhook with a page of its log. */
export interface ShownWebhook {
  readonly webhook: Webhook;
  readonly log: Awaited<ReturnType<Webhooks['log']>>;
  /** Whether this is the first page. */
  readonly isLatest: boolean;
  readonly now: Date;
}

/** Says how the webhook fares, and what can be done with it. */
export function WebhookMast({ webhook, ...shown }: ShownWebhook): JSX.Element {
  const { id, url, disabledAt } = webhook;
  const { host } = new URL(url);
  const isInUse = disabledAt === null;
  return (
    <Mast
      crumbs={[[alertsAddress.all, 'Alerts']]}
      here={<HostName name={host} />}
      title={
        <>
          Webhook <HostName name={host} />
        </>
      }
      isLong={isLongName(host)}
      lead={
        <span id="webhook-state" data-with={LOG_ID}>
          <Lead webhook={webhook} {...shown} />
        </span>
      }
      actions={
        isInUse ? (
          <ActionButton action={alertsAddress.test(id)}>Send a test</ActionButton>
        ) : (
          <ActionButton action={alertsAddress.enable(id)}>Turn on again</ActionButton>
        )
      }
    />
  );
}

function Lead({ webhook: { disabledAt }, log: { deliveries }, isLatest, now }: ShownWebhook): JSX.Element {
  const [last] = deliveries;
  if (disabledAt !== null) {
    return (
      <>
        Turned off <Time at={disabledAt} now={now} />. Nothing is sent to it: its receiver accepted no message for days,
        or asked for no more. The log says what it answered. Once it works again, turn it on.
      </>
    );
  }
  if (!isLatest || last === undefined) return <>In use. Alerts of all your sites are posted to it.</>;
  if (last.state === 'delivered') return <>In use. The last message was delivered.</>;
  return <>In use. The last message {last.state === 'failed' ? 'was given up' : 'is not delivered yet'}.</>;
}

/** Next to the log: the last messages at a glance, the secret, the way out. */
export function WebhookRail({ webhook, log: { deliveries }, isLatest, now }: ShownWebhook): JSX.Element {
  const { id, url, createdAt } = webhook;
  return (
    <>
      {isLatest && deliveries.length > 0 && (
        <section id="last-ten" data-with={LOG_ID}>
          <h2>Last ten messages</h2>
          <DeliveryPins deliveries={deliveries} />
        </section>
      )}
      <RailPart title="At a glance">
        <Facts
          facts={[
            ['Address', <code>{url}</code>],
            ['Added', <Time at={createdAt} now={now} />],
          ]}
        />
      </RailPart>
      <RailPart title="Secret">
        <p class="small soft">Messages are signed with a secret that was shown when it was made.</p>
        <Fold title="Replace the secret">
          <p class="small">
            The present secret stops signing at once: give the new one to your receiver, or it will reject every
            message.
          </p>
          <ActionButton action={alertsAddress.secret(id)} kind="danger">
            Make a new secret
          </ActionButton>
        </Fold>
      </RailPart>
      <RailPart title="Remove">
        <a class="btn danger" href={alertsAddress.remove(id)}>
          Remove this webhook
        </a>
      </RailPart>
    </>
  );
}
