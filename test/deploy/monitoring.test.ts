import t from 'tap';
import { parse } from 'yaml';
import { createMetrics } from '../../src/wiring/metrics.js';
import { scanReport } from '../support/accounts.js';
import { readMetrics } from '../support/metrics.js';
import { readProject } from '../support/project.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const { groups } = parse(readProject('deploy/prometheus-alerts.yaml')) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const expressions = rules.map(({ alert, expr }) => [alert, expr] as const);

/** Labels that Prometheus adds to every sample. */
const OF_PROMETHEUS = ['job', 'instance'];

/** Returns the metrics of a process in which everything that is measured has happened. */
async function tellEverything(): Promise<string> {
  const metrics = createMetrics({ version: '1', role: 'all', isExposed: true });
  for (const status of [200, 404, 503]) {
    metrics.observeRequest('api')({ method: 'GET', route: '/api/x', status, durationMs: 1 });
  }
  metrics.scans.finished('FREE', scanReport(), 1);
  metrics.database('read', 1);
  metrics.database('write', 1, 'fault');
  metrics.watch({
    scanConcurrency: 1,
    scanSlots: () => ({ running: 0, waiting: 0 }),
    readBacklog: () => Promise.resolve({ now: new Date(), depths: [] }),
    isWorking: () => true,
  });
  // The garbage collector is measured once it has run.
  return `${await metrics.text()}nodejs_gc_duration_seconds_sum{kind="minor"} 0\n`;
}

/** Returns the series of an expression with their labels, without functions and labels in `by (…)`. */
function seriesIn(expr: string): { readonly name: string; readonly labels: readonly string[] }[] {
  const bare = expr.replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '').replace(/\[[^\]]*\]/g, '');
  const found = bare.matchAll(/\b([a-z_][a-z0-9_]*)\b(?:\{([^}]*)\})?(?!\s*\()/gi);
  return Array.from(found, ([, name = '', selector = '']) => ({
    name,
    labels: Array.from(selector.matchAll(/([a-z_]+)(?:=~|!~|!=|=)"/g), ([, label = '']) => label),
  })).filter(({ name }) => !['or', 'and', 'unless', 'bool'].includes(name));
}

t.test('every series that a rule asks for exists, under the labels that it asks for', async (t) => {
  const told = readMetrics(await tellEverything());
  told.set('up', new Set());
  for (const [where, expr] of expressions) {
    const asked = seriesIn(expr.replace(/"[^"]*"/g, '""'));
    t.ok(asked.length > 0, `${where} asks for something`);
    for (const { name, labels } of asked) {
      const known = told.get(name);
      t.ok(known, `${where}: ${name}`);
      const strange = labels.filter((label) => !known?.has(label) && !OF_PROMETHEUS.includes(label));
      t.same(strange, [], `${where}: labels of ${name}`);
    }
    const grouped = Array.from(expr.matchAll(/\bby \(([^)]*)\)/g), ([, list = '']) => list.split(/, */)).flat();
    const all = new Set(asked.flatMap(({ name }) => [...(told.get(name) ?? [])]).concat(OF_PROMETHEUS));
    t.same(
      grouped.filter((label) => !all.has(label)),
      [],
      `${where}: grouped by labels that are there`,
    );
  }
});
