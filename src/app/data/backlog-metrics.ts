import { Gauge, type Registry } from 'prom-client';
import type { Kept } from '../kept.js';
import type { Backlog } from './backlog.js';

/** Shows what is stored; null: the database did not answer, and nothing is known. */
export type ShowBacklog = (figures: Backlog | null) => void;

const SAME_EVERYWHERE = 'Every process reports the same figure: take the maximum, not the sum.';

/** Defines the gauges of the features. */
export function createBacklogMetrics(register: Registry, features: readonly Pick<Kept, 'gauges'>[]): ShowBacklog {
  const define = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name: `agent_readiness_${name}`, help, labelNames: [...labelNames], registers: [register] });
  const isUp = define('database_up', 'Whether the database answers, with the schema that the queue needs: 1 or 0.');
  const gauges = features
    .flatMap((feature) => Object.entries(feature.gauges ?? {}))
    .map(([name, { help, labels }]) => [name, define(name, `${help} ${SAME_EVERYWHERE}`, labels)] as const);
  return (figures) => {
    isUp.set(figures ? 1 : 0);
    for (const [name, gauge] of gauges) {
      gauge.reset();
      for (const { labels = {}, value } of figures?.[name] ?? []) gauge.set(labels, value);
    }
  };
}
