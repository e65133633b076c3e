import { Counter, type Registry } from 'prom-client';

const RECEIVERS = ['webhook', 'mail', 'account-mail'] as const;
const RESULTS = ['delivered', 'retried', 'failed'] as const;

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

/** Counts attempts to send alerts, and mails about accounts. */
export function createDeliveryMetrics(register: Registry) {
  const attempts = new Counter({
    name: 'agent_readiness_delivery_attempts_total',
    help: 'Attempts to deliver alerts and account mails (receiver "account-mail"), by receiver and result: "delivered", "retried" (not delivered, another attempt follows) or "failed" (not delivered, no attempts left).',
    labelNames: ['receiver', 'result'],
    registers: [register],
  });
  const crashes = new Counter({
    name: 'agent_readiness_delivery_crashes_total',
    help: 'Delivery attempts that ended in an internal error.',
    registers: [register],
  });
  for (const receiver of RECEIVERS) for (const result of RESULTS) attempts.inc({ receiver, result }, 0);
  return {
    attempted: (receiver: (typeof RECEIVERS)[number], result: (typeof RESULTS)[number]): void =>
      attempts.inc({ receiver, result }),
    crashed: (): void => crashes.inc(),
  };
}
