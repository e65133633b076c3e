import type { JSX } from 'preact';
import type { Webhook } from '../webhook.js';
import { isChosenFormat } from '../webhook-format.js';
import { DIGEST_SITES_MIN } from '../digest-planner.js';
import { countOf } from '../../../platform/counts.js';
import { ErrorSummary } from '../../../web/kit/components/form.js';
import type { IconName } from '../../../web/kit/components/icons.js';
import { Group, Mast } from '../../../web/kit/components/mast.js';
import { Notice } from '../../../web/kit/components/text.js';
import { type WebContext, noticeOf, seeOther } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import { addForm, fieldOf, type FieldErrors } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part, PartDeps } from '../../part.js';
import { alertsAddress } from './addresses.js';
import { AddWebhookForm } from './add-webhook-form.js';
import { EmailAlerts, WeeklyDigest } from './email-alerts.js';
import { MessageSamples } from './message-samples.js';
import { PlaceTable } from './place-table.js';
import { secretPage } from './secret-page.js';
import { RailText, Two } from '../../../web/kit/components/two.js';
import { Items } from '../../../web/kit/confirm.js';

/** What the page says after something was done, by the code in its address. */
const NOTICES = {
  'email-on': 'Alerts go to your e-mail address from now on.',
  'email-off': 'No more alerts go to your e-mail address.',
  'digest-on': 'The weekly digest is on: the first one comes on Monday, if anything has changed by then.',
  'digest-off': 'The weekly digest is off.',
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
      const format = fieldOf(ctx, 'format');
      const added = await webhooks.add({
        accountId: account.id,
        url: fieldOf(ctx, 'url'),
        site: fieldOf(ctx, 'site'),
        ...(isChosenFormat(format) && { format }),
      });
      // Shown in the answer to the form itself: no other page shows it.
      if (added.webhook.format === 'signed') sendPage(ctx, secretPage({ ...added, isNew: true, publicUrl }));
      else seeOther(ctx, `${alertsAddress.webhook(added.webhook.id)}?notice=added`);
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

  addForm(router, sendPage, {
    path: alertsAddress.digest,
    shownAt: null,
    load: (ctx) => sessionOf(ctx).account,
    async submit(ctx, account) {
      const isOn = fieldOf(ctx, 'digest') === 'weekly';
      await webhooks.setDigest(account.id, isOn);
      seeOther(ctx, `${alertsAddress.all}?notice=${isOn ? 'digest-on' : 'digest-off'}`);
    },
    render: (ctx, _account, errors) => alertsPage(ctx, deps, errors),
  });
};

async function alertsPage(
  ctx: WebContext,
  { webhooks, sites, clock, publicUrl }: PartDeps,
  errors: FieldErrors | null,
): Promise<Page> {
  const { account } = sessionOf(ctx);
  const [list, emailAlerts, nextDigest, { length: siteCount }] = await Promise.all([
    webhooks.watch(account.id),
    webhooks.emailAlerts(account.id),
    webhooks.nextDigest(account.id),
    sites.list(account.id),
  ]);
  const isMailed = emailAlerts !== null;
  // What is on can be turned off, whatever became of sites and mail server.
  const hasDigest = nextDigest !== null || (isMailed && siteCount >= DIGEST_SITES_MIN);
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
        {list.length > 0 && <PlaceTable webhooks={list} siteCount={siteCount} now={clock.now()} />}
        {(isMailed || hasDigest) && (
          <Group title="E-mail">
            {isMailed && <EmailAlerts email={account.email} isOn={emailAlerts} />}
            {!hasDigest && (
              <p class="soft">From {DIGEST_SITES_MIN} sites on, you can have a weekly digest of all of them as well.</p>
            )}
            {hasDigest && <WeeklyDigest nextAt={nextDigest} now={clock.now()} />}
          </Group>
        )}
        <AddWebhookForm
          count={list.length}
          url={fieldOf(ctx, 'url')}
          format={fieldOf(ctx, 'format')}
          site={fieldOf(ctx, 'site')}
          errors={errors}
        />
        <Group title="A message" meaning="and what it tells">
          <MessageSamples publicUrl={publicUrl} email={account.email} hasMail={emailAlerts !== null} />
        </Group>
        <Group title="Alerts are sent when" meaning="for each of your sites">
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
  const off = webhooks.filter(({ disabledAt, isNew }) => disabledAt !== null && !isNew).length;
  const fresh = webhooks.filter(({ isNew }) => isNew).length;
  const places = [...on.map(({ host }) => host), ...(hasMail ? ['your e-mail address'] : [])];
  return (
    <Mast
      title={`Alerts go ${describePlaces(places)}`}
      lead={
        <>
          An alert tells you when something changes on one of your sites.
          {off > 0 && (
            <>
              {' '}
              {countOf(off, 'webhook')} {off === 1 ? 'is' : 'are'} turned off, because messages were not taken there any
              more.
            </>
          )}
          {fresh > 0 && (
            <>
              {' '}
              {countOf(fresh, 'webhook')} {fresh === 1 ? 'is' : 'are'} not turned on yet.
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
    ['out', 'A webhook is turned off', 'by e-mail: its receiver is gone, or took no message for days'],
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
