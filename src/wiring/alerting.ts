import type { ProofConsequences } from '../app/sites/settle-proof.js';
import { proofConsequences } from './proof-consequences.js';
import type { Config } from '../config.js';
import { createMailer } from '../platform/mail.js';
import type { SendMail } from '../platform/mail-message.js';
import { scannerUserAgent } from '../scanner/artifacts/scanner.js';
import { createPoster } from '../net/post.js';
import { vetWebhook } from '../net/vet-webhook.js';
import { systemClock as clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import type { Metrics } from './process-metrics.js';
import { createAlertsAtFinish } from '../app/alerts/at-finish.js';
import { DeliveryHandler, type DeliveryObserver } from '../app/alerts/delivery-handler.js';
import { createWebhooks } from '../app/alerts/create-webhooks.js';
import type { Webhooks } from '../app/alerts/webhooks.js';
import type { RateLimits } from '../app/limits/rate-limits.js';
import type { RunPerformerDeps } from '../app/runs/run-performer.js';
import type { AnnounceJobs } from '../queue/job.js';
import type { Database } from '../store/database.js';
import type { Scanning } from './scanning.js';

export interface AlertingDeps {
  readonly config: Pick<Config, 'publicUrl' | 'smtpUrl' | 'mailFrom'>;
  readonly db: Database;
  readonly logger: Logger;
  readonly scanning: Scanning;
  readonly announce: AnnounceJobs;
  readonly rateLimits: RateLimits;
  readonly metrics: Pick<Metrics, 'deliveries'>;
}

/** Alerts from the run that makes them to the message that was delivered. */
export interface Alerting {
  readonly webhooks: Webhooks;
  readonly consequences: ProofConsequences;
  readonly atFinish: NonNullable<RunPerformerDeps['atFinish']>;
  readonly handlers: Readonly<Record<'webhooks' | 'mail', DeliveryHandler>>;
}

export function createAlerting(deps: AlertingDeps): Alerting {
  const { config, db, logger, scanning, announce, rateLimits, metrics } = deps;
  const { publicUrl } = config;
  const sendMail = createSendMail(config, logger);
  const hasMail = sendMail !== null;
  const delivery = {
    ...{ db, clock, announce, sendMail, publicUrl },
    post: createPoster(scanning),
    userAgent: scannerUserAgent(scanning.infoUrl),
    observer: observeDeliveries(metrics, logger),
  };
  return {
    consequences: proofConsequences(hasMail),
    atFinish: createAlertsAtFinish({ clock, publicUrl, hasMail }),
    webhooks: createWebhooks({
      ...{ db, clock, announce, hasMail, limits: rateLimits },
      vetWebhook: (url) => vetWebhook(scanning, url),
    }),
    handlers: { webhooks: new DeliveryHandler('webhook', delivery), mail: new DeliveryHandler('mail', delivery) },
  };
}

function observeDeliveries({ deliveries }: AlertingDeps['metrics'], logger: Logger): DeliveryObserver {
  return {
    attempted: (receiver, result) => deliveries.attempted(receiver, result),
    disabled: (webhookId) => {
      deliveries.disabled();
      logger.warn({ webhookId }, 'a webhook was turned off: it accepted nothing for days');
    },
    crashed: (deliveryId, cause) => {
      deliveries.crashed();
      logger.error({ deliveryId, cause }, 'an attempt to deliver a message failed');
    },
  };
}

function createSendMail({ smtpUrl, mailFrom }: AlertingDeps['config'], logger: Logger): SendMail | null {
  if (smtpUrl === null || mailFrom === null) return null;
  return createMailer({
    server: smtpUrl,
    from: mailFrom,
    onFailure: (failure) => logger.warn({ ...failure }, 'a message by e-mail was not sent'),
  });
}
