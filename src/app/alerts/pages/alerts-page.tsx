import type { JSX } from 'preact';
import { type Webhook, WEBHOOKS_PER_ACCOUNT_MAX } from '../webhook.js';
import { countOf } from '../../../platform/counts.js';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import type { IconName } from '../../../web/kit/components/icons.js';
import { Fold } from '../../../web/kit/components/fold.js';
import { Group, Mast } from '../../../web/kit/components/mast.js';
import { Notice } from '../../../web/kit/components/text.js';
import { type WebContext, noticeOf, seeOther } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import { addForm, fieldOf, type FieldErrors } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part, PartDeps } from '../../part.js';
import { alertsAddress } from './addresses.js';
import { EmailAlerts } from './email-alerts.js';
import { MessageSamples } from './message-samples.js';
import { PlaceTable } from './place-table.js';
import { secretPage } from './secret-page.js';
import { RailText, Two } from '../../../web/kit/components/two.js';
import { Items } from '../../../web/kit/confirm.js';

/** What the page says after something was done, by the code in its address. */
const NOTICES = {
  'email-on': 'Alerts go to your e-mail address from now on.',
  'email-off': 'No more alerts go to your e-mail address.',
  removed: 'The webhook and its log are removed.',
};

/** The overview of an account's alerts. */
export const addAlertsPage: Part = (router, deps) => {
  const { webhooks, sendPage, publicUrl } = deps;

  addForm(router, sendPage, {
    path: alertsAddress.webhooks,
    shownAt: alertsAddress.all,
    field: 'url',
    load: (ctx) => sessionOf(ctx).account,
    async submit(ctx, account) {
      const added = await webhooks.add({ accountId: account.id, url: fieldOf(ctx, 'url') });
      // Shown in the answer to the form itself: no other page shows it.
      sendPage(ctx, secretPage({ ...added, isNew: true, publicUrl }));
    },
    render: (ctx, _account, errors) => alertsPage(ctx, deps, errors),
  });

  addForm(router, sendPage, {
    path: alertsAddress.email,
    shownAt: null,
    load: (ctx) => sessionOf(ctx).account,
    async submit(ctx, account) {
      const isOn = fieldOf(ctx, 'alerts') === 'on';
      await webhooks.setEmailAlerts(account.id, isOn);
      seeOther(ctx, `${alertsAddress.all}?notice=${isOn ? 'email-on' : 'email-off'}`);
    },
    render: (ctx, _account, errors) => alertsPage(ctx, deps, errors),
  });
};

async function alertsPage(
  ctx: WebContext,
  { webhooks, clock, publicUrl }: PartDeps,
  errors: FieldErrors | null,
): Promise<Page> {
  const { account } = sessionOf(ctx);
  const [list, emailAlerts] = await Promise.all([webhooks.watch(account.id), webhooks.emailAlerts(account.id)]);
  const notice = errors ? undefined : noticeOf(ctx, NOTICES);
  return {
    title: 'Alerts',
    styles: ['account.css'],
    // A webhook's address may be a secret.
    hasSecret: true,
    mast: <AlertsMast webhooks={list} hasMail={emailAlerts === true} />,
    main: (
      <Two rail={<Rail hasMail={emailAlerts !== null} />}>
        <ErrorSummary errors={errors} />
        <Notice isDone>{notice}</Notice>
        {list.length > 0 && <PlaceTable webhooks={list} now={clock.now()} />}
        {emailAlerts !== null && (
          <Group title="E-mail">
            <EmailAlerts email={account.email} isOn={emailAlerts} />
          </Group>
        )}
        <AddForm count={list.length} url={fieldOf(ctx, 'url')} errors={errors} />
        <Group title="A message" meaning="and what it tells">
          <MessageSamples publicUrl={publicUrl} email={account.email} hasMail={emailAlerts !== null} />
        </Group>
        <Group title="Alerts are sent when" meaning="for all of your sites">
          <WhatAlertsAre hasMail={emailAlerts !== null} />
        </Group>
      </Two>
    ),
  };
}

function Rail({ hasMail }: { readonly hasMail: boolean }): JSX.Element {
  return (
    <>
      <RailText title="When you hear nothing">
        Nothing has changed. You are told of a change once, and never of a failure that you accepted. A site is looked
        at when it runs: by schedule, after a deployment, or by hand. <a href="/sites">Your sites</a>
      </RailText>
      {!hasMail && <RailText title="By e-mail?">Not here: this service sends no e-mail.</RailText>}
    </>
  );
}

function AlertsMast({
  webhooks,
  hasMail,
}: {
  readonly webhooks: readonly Webhook[];
  readonly hasMail: boolean;
}): JSX.Element {
  const on = webhooks.filter(({ disabledAt }) => disabledAt === null);
  const off = webhooks.length - on.length;
  const places = [...on.map(({ url }) => new URL(url).host), ...(hasMail ? ['your e-mail address'] : [])];
  return (
    <Mast
      title={`Alerts go ${describePlaces(places)}`}
      lead={
        <>
          An alert tells you when something changes on one of your sites.
          {off > 0 && (
            <>
              {' '}
              {countOf(off, 'webhook')} {off === 1 ? 'is' : 'are'} turned off, because no message was taken there any
              more.
            </>
          )}
        </>
      }
    />
  );
}

/** One by its name, more by their number. */
function describePlaces(places: readonly string[]): string {
  if (places.length === 0) return 'nowhere yet';
  return `to ${places.length === 1 ? places[0] : countOf(places.length, 'place')}`;
}

/** How many more can be added. */
function describeLeft(left: number): string {
  if (left === WEBHOOKS_PER_ACCOUNT_MAX) return `up to ${left}`;
  return left === 0 ? 'none left' : `${left} more`;
}

type Heard = readonly [icon: IconName, what: string, when: string];

const HEARD: readonly Heard[] = [
  ['bell', 'A check breaks', 'it passed before, or did not apply'],
  ['up', 'A check is fixed', 'with the run that shows it'],
  ['fall', 'The score falls', 'even where no check broke'],
  ['globe', 'A site cannot be reached', 'after two runs in a row, and again once it can be reached'],
];

/** What is told by e-mail, where there is any; of the first, webhooks hear instead. */
function heardOf(hasMail: boolean): readonly Heard[] {
  const proof = 'The proof of ownership is not found';
  if (!hasMail) return [...HEARD, ['lock', proof, 'before the site stops being verified']];
  return [
    ...HEARD,
    ['lock', proof, 'by e-mail, or where that is off, by webhook'],
    ['out', 'A webhook is turned off', 'by e-mail: it took no message for days, or asked for no more'],
  ];
}

function WhatAlertsAre({ hasMail }: { readonly hasMail: boolean }): JSX.Element {
  return (
    <Items
      items={heardOf(hasMail).map(([icon, what, when]) => [
        icon,
        <>
          {what}
          <br />
          <span class="soft small">{when}</span>
        </>,
      ])}
    />
  );
}

interface AddFormProps {
  readonly count: number;
  readonly url: string;
  readonly errors: FieldErrors | null;
}

function AddForm({ count, url, errors }: AddFormProps): JSX.Element {
  const left = WEBHOOKS_PER_ACCOUNT_MAX - count;
  const form = (
    <form method="post" action={alertsAddress.webhooks} novalidate>
      <Field
        name="url"
        label="Address"
        value={url}
        inputMode="url"
        autocomplete="off"
        isVerbatim
        hint="Such as https://example.com/alerts, on a public server."
        errors={errors}
      />
      <button type="submit">Add webhook</button>
    </form>
  );
  return (
    <Group title={count > 0 ? 'Another place' : 'Add a webhook'} meaning={describeLeft(left)} id="add">
      {count === 0 && (
        <p>
          A webhook is an address that takes messages: of your own server, or of a service such as Zapier or n8n, which
          turns them into a chat message or a ticket. Each alert is sent there.
        </p>
      )}
      {left === 0 && (
        <p>An account has at most {WEBHOOKS_PER_ACCOUNT_MAX} webhooks. To add another, remove one first.</p>
      )}
      {left > 0 && count === 0 && form}
      {left > 0 && count > 0 && (
        <Fold title="Add a webhook" isOpen={errors !== null}>
          {form}
        </Fold>
      )}
    </Group>
  );
}
