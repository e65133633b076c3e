import type { Config } from '../config.js';
import { DeliveryHandler, type DeliveryHandlerDeps, type DeliveryObserver } from '../app/alerts/delivery-handler.js';
import type { DeliveryMetrics } from '../app/alerts/delivery-metrics.js';
import { createPoster } from '../net/post.js';
import type { Logger } from '../platform/logging.js';
import { createMailer } from '../platform/mail.js';
import type { SendMail } from '../platform/mail-message.js';
import { scannerUserAgent } from '../scanner/artifacts/scanner.js';
import type { Scanning } from '../package/scanning.js';

export interface DeliveringDeps extends Pick<DeliveryHandlerDeps, 'db' | 'clock' | 'publicUrl' | 'sendMail'> {
  readonly logger: Logger;
  readonly scanning: Scanning;
  readonly deliveries: DeliveryMetrics;
}

/** What delivers the messages of alerts. */
export function createDeliveryHandlers(deps: DeliveringDeps): Readonly<Record<'WEBHOOK' | 'MAIL', DeliveryHandler>> {
  const { scanning, deliveries, logger } = deps;
  const delivery = {
    ...deps,
    post: createPoster(scanning),
    userAgent: scannerUserAgent(scanning.infoUrl),
    observer: observeDeliveries(deliveries, logger),
  };
  return { WEBHOOK: new DeliveryHandler('webhook', delivery), MAIL: new DeliveryHandler('mail', delivery) };
}

function observeDeliveries(deliveries: DeliveryMetrics, logger: Logger): DeliveryObserver {
  return {
    attempted: (receiver, result) => deliveries.attempted(receiver, result),
    disabled: (webhookId, cause) => {
      deliveries.disabled();
      logger.warn({ webhookId, cause }, 'webhook disabled');
    },
    crashed: (deliveryId, cause) => {
      deliveries.crashed();
      logger.error({ deliveryId, cause }, 'delivery attempt failed');
    },
  };
}

/** Null where the operator has configured no mail server. */
export function createSendMail({ smtpUrl, mailFrom }: Config, logger: Logger): SendMail | null {
  if (smtpUrl === null || mailFrom === null) return null;
  return createMailer({
    server: smtpUrl,
    from: mailFrom,
    onFailure: (failure) => logger.warn({ ...failure }, 'e-mail not sent'),
  });
}
