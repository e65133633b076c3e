import { Counter, type Registry } from 'prom-client';

const RECEIVERS = ['webhook', 'mail', 'account-mail'] as const;

/** Hears what becomes of the messages of alerts, and of mails about accounts. */
export function createDeliveryMetrics(register: Registry) {
  const defineCounter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `agent_readiness_${name}`, help, labelNames, registers: [register] });
  const attempts = defineCounter(
    'delivery_attempts_total',
    'Tries to hand over messages of alerts, and mails about accounts (receiver "account-mail"), by receiver and result: "delivered", "retried" (refused, and tried again later), "failed" (refused for the last time).',
    ['receiver', 'result'],
  );
  const disabled = defineCounter(
    'webhooks_disabled_total',
    'Webhooks that were turned off: the receiver is gone, or took nothing for days.',
    [],
  );
  const crashes = defineCounter('delivery_crashes_total', 'Tries that ended by a fault of ours.', []);
  for (const receiver of RECEIVERS) {
    for (const result of ['delivered', 'retried', 'failed']) attempts.inc({ receiver, result }, 0);
  }
  return {
    attempted: (receiver: (typeof RECEIVERS)[number], result: 'delivered' | 'retried' | 'failed'): void =>
      attempts.inc({ receiver, result }),
    disabled: (): void => disabled.inc(),
    crashed: (): void => crashes.inc(),
  };
}

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;
