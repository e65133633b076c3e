import type { JSX } from 'preact';
import { ActionButton, type ButtonKind } from '../../../web/kit/components/form.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import { HostName, isLongName, Mast } from '../../../web/kit/components/mast.js';
import { Time } from '../../../web/kit/components/text.js';
import type { Webhook } from '../webhook.js';
import type { Webhooks } from '../webhooks.js';
import { type ChatFormat, FORMATS } from '../webhook-format.js';
import { SiteField } from './add-webhook-form.js';
import { alertsAddress } from './addresses.js';
import { DeliveryPins } from './states.js';
import { Fold } from '../../../web/kit/components/fold.js';
import { Facts, RailPart, RailText } from '../../../web/kit/components/two.js';

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
      lead={
        <span id="webhook-state" data-with={LOG_ID}>
          <Lead webhook={webhook} {...shown} />
        </span>
      }
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
  const { disabledAt, isNew, site, format } = webhook;
  const [last] = deliveries;
  if (isNew) {
    return (
      <>
        Not turned on yet. Look at a message as {FORMATS[webhook.format]} gets it, send a test, then turn it on: until
        then no alert goes there.
      </>
    );
  }
  if (disabledAt !== null) {
    return (
      <>
        Turned off <Time at={disabledAt} now={now} />. Nothing is sent to it: its receiver is gone, or accepted no
        message for days. Its deliveries say what it answered. Once it works again, turn it on.
        {format !== 'signed' &&
          ' If it was deleted in the chat, make another one there, add it here, and remove this one.'}
      </>
    );
  }
  if (!isLatest || last === undefined) {
    return (
      <>In use. Alerts of {site === null ? 'all your sites' : <HostName name={site.hostname} />} are posted to it.</>
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

type WebhookRailProps = ShownWebhook & {
  /** What was typed for its site, and what is wrong with that. */
  readonly typedSite: string;
  readonly errors: FieldErrors | null;
};

/** Next to the log: the last messages at a glance, its sites, the secret, the way out. */
export function WebhookRail(props: WebhookRailProps): JSX.Element {
  const { webhook, log, isLatest, now, typedSite, errors } = props;
  const { deliveries } = log;
  const { id, format, address, site, createdAt } = webhook;
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
            ['Address', <code>{address}</code>],
            ['Format', FORMATS[format]],
            ['Sites', site === null ? 'All of your sites' : <a href={`/sites/${site.id}`}>{site.hostname}</a>],
            ['Added', <Time at={createdAt} now={now} />],
          ]}
        />
      </RailPart>
      <RailPart title="Sites">
        <Fold title="Change the sites" isOpen={errors?.site !== undefined}>
          <form method="post" action={alertsAddress.site(id)} novalidate>
            <SiteField site={typedSite === '' && !errors ? (site?.hostname ?? '') : typedSite} errors={errors} />
            <button type="submit" class="quiet">
              Save the sites
            </button>
          </form>
        </Fold>
      </RailPart>
      {format === 'signed' ? <SecretPart id={id} /> : <SecretAddress format={format} />}
      <RailPart title="Remove">
        <a class="btn danger" href={alertsAddress.remove(id)}>
          Remove this webhook
        </a>
      </RailPart>
    </>
  );
}

function SecretPart({ id }: Pick<Webhook, 'id'>): JSX.Element {
  return (
    <RailPart title="Secret">
      <p class="small soft">Messages are signed with a secret that was shown when it was made.</p>
      <Fold title="Replace the secret">
        <p class="small">
          The present secret stops signing at once: give the new one to your receiver, or it will reject every message.
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
      Anyone who has it can write to the channel, so no page shows it whole. For a new one, make another webhook in{' '}
      {FORMATS[format]}, add it here, and remove this one.
    </RailText>
  );
}
