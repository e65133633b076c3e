/** Values by series, such as `name{label="value"}`. Labels are sorted. */
export type Samples = ReadonlyMap<string, number>;

/** Parses a text in Prometheus' format. Throws for a line that is no sample. */
export function readSamples(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name = '', labels = '', value = ''] = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === '') throw new Error(`this is not a sample: ${line}`);
      return [labels === '' ? name : `${name}{${sortLabels(labels)}}`, Number(value)];
    }),
  );
}

function sortLabels(labels: string): string {
  return Array.from(labels.matchAll(/[a-z_]+="[^"]*"/g), ([label]) => label)
    .sort()
    .join(',');
}

/** Returns the type of every metric by name, with or without samples. */
export function metricsIn(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type = '']) => [name, type]));
}

/** Returns the labels of each series by its name. */
export function readMetrics(text: string): Map<string, Set<string>> {
  const metrics = new Map<string, Set<string>>();
  for (const series of readSamples(text).keys()) {
    const [, name = '', labels = ''] = /^([^{]+)(?:\{(.*)\})?$/.exec(series) ?? [];
    const known = metrics.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/([a-z_]+)="/g)) known.add(label);
    metrics.set(name, known);
  }
  return metrics;
}
