import type { JSX } from 'preact';
import { ActionButton, type ButtonKind } from '../html/form.js';
import type { FieldErrors } from '../server/form.js';
import { HostName, isLongName, Mast } from '../html/mast.js';
import { Time } from '../html/text.js';
import type { Log } from '../../app/alerts/deliveries.js';
import type { Webhook } from '../../app/alerts/webhooks.js';
import { type ChatFormat, FORMATS } from '../../app/alerts/webhook-format.js';
import { SiteField } from './add-webhook-form.js';
import { alertsAddress } from './alerts-addresses.js';
import { DeliveryPins } from './delivery-rows.js';
import { Fold } from '../html/fold.js';
import { Facts, RailPart, RailText } from '../html/two.js';

export const LOG_ID = 'log';

/** A webhook with a page of its log. */
export interface ShownWebhook {
  readonly webhook: Webhook;
  readonly log: Log;
  /** True for the first page. */
  readonly isLatest: boolean;
  readonly now: Date;
}

/** State and actions of the webhook. */
export function WebhookMast({ webhook, ...shown }: ShownWebhook): JSX.Element {
  const { id, name, host, disabledAt, isNew } = webhook;
  const end = name.slice(host.length);
  const test = (kind: ButtonKind): JSX.Element => (
    <ActionButton action={alertsAddress.test(id)} kind={kind}>
      Send a test
    </ActionButton>
  );
  return (
    <Mast
      crumbs={[[alertsAddress.all, 'Alerts']]}
      here={
        <>
          <HostName name={host} />
          {end}
        </>
      }
      title={
        <>
          Webhook <HostName name={host} />
          {end}
        </>
      }
      isLong={isLongName(name)}
      lead={<Lead webhook={webhook} {...shown} />}
      actions={
        disabledAt === null ? (
          test('solid')
        ) : (
          <>
            {isNew && test('quiet')}
            <ActionButton action={alertsAddress.enable(id)}>{isNew ? 'Turn on' : 'Turn on again'}</ActionButton>
          </>
        )
      }
    />
  );
}

function Lead({ webhook, log: { deliveries }, isLatest, now }: ShownWebhook): JSX.Element {
  const { disabledAt, isNew, format } = webhook;
  const [last] = deliveries;
  if (isNew) {
    return (
      <>
        Not turned on yet. Look at the example for {FORMATS[webhook.format]}, send a test, then turn it on. Until then
        no alert goes there.
      </>
    );
  }
  if (disabledAt !== null) {
    return (
      <>
        Turned off <Time at={disabledAt} now={now} />. Nothing is sent to it: its receiver is gone, or accepted no
        message for days. Its deliveries show the answers. Once it works again, turn it on.
        {format !== 'signed' &&
          ' If it was deleted in the chat, create a new one there, add it here, and remove this one.'}
      </>
    );
  }
  if (!isLatest || last === undefined) {
    return (
      <>
        In use. Alerts of <Scope webhook={webhook} /> are posted to it.
      </>
    );
  }
  if (last.state === 'delivered') return <>In use. The last message was delivered.</>;
  return (
    <>
      In use. The last message {last.state === 'failed' ? 'could not be delivered' : 'is not delivered yet'}.{' '}
      {last.problem}
    </>
  );
}

function Scope({ webhook: { site, tag } }: Pick<ShownWebhook, 'webhook'>): JSX.Element {
  if (site !== null) return <HostName name={site.hostname} />;
  return <>{tag === null ? 'all your sites' : `your sites with the tag ${tag}`}</>;
}

type WebhookRailProps = ShownWebhook & {
  /** The submitted text of the field for sites. */
  readonly typedSite: string;
  readonly errors: FieldErrors | null;
};

/** Settings of the webhook, next to its log. */
export function WebhookRail(props: WebhookRailProps): JSX.Element {
  const { webhook, log, isLatest, now, typedSite, errors } = props;
  const { deliveries } = log;
  const { id, format, address, site, tag, createdAt } = webhook;
  const scope = tag === null ? (site?.hostname ?? '') : `#${tag}`;
  return (
    <>
      {isLatest && deliveries.length > 0 && (
        <section>
          <h2>Last ten messages</h2>
          <DeliveryPins deliveries={deliveries} />
        </section>
      )}
      <RailPart title="At a glance">
        <Facts
          facts={[
            ['Address', <code>{address}</code>],
            ['Format', FORMATS[format]],
            ['Sites', site === null ? scope || 'All of your sites' : <a href={`/sites/${site.id}`}>{scope}</a>],
            ['Added', <Time at={createdAt} now={now} />],
          ]}
        />
      </RailPart>
      <RailPart title="Sites">
        <Fold title="Change the sites" isOpen={errors?.site !== undefined}>
          <form method="post" action={alertsAddress.site(id)} novalidate>
            <SiteField site={typedSite === '' && !errors ? scope : typedSite} errors={errors} />
            <button type="submit" class="quiet">
              Save the sites
            </button>
          </form>
        </Fold>
      </RailPart>
      {format === 'signed' ? <SecretPart id={id} /> : <SecretAddress format={format} />}
      <RailPart title="Remove">
        <Fold title="Remove this webhook">
          <p class="small">
            This deletes unsent alerts to this address at once, with its log
            {format === 'signed' && ' and its secret'}. Your sites, their runs and your other webhooks stay.
          </p>
          <ActionButton action={alertsAddress.remove(id)} kind="danger">
            Remove webhook
          </ActionButton>
        </Fold>
      </RailPart>
    </>
  );
}

function SecretPart({ id }: Pick<Webhook, 'id'>): JSX.Element {
  return (
    <RailPart title="Secret">
      <p class="small soft">Messages are signed with a secret. It was shown once, when it was made.</p>
      <Fold title="Replace the secret">
        <p class="small">
          We stop using the current secret at once. Give the new one to your receiver, or it will reject every message.
        </p>
        <ActionButton action={alertsAddress.secret(id)} kind="danger">
          Make a new secret
        </ActionButton>
      </Fold>
    </RailPart>
  );
}

function SecretAddress({ format }: { readonly format: ChatFormat }): JSX.Element {
  return (
    <RailText title="The address is a secret">
      Anyone who has it can post to the channel, so we never show all of it. To replace it, create another webhook in{' '}
      {FORMATS[format]}, add it here, and remove this one.
    </RailText>
  );
}
