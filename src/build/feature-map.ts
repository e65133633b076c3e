import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Feature } from '../app/feature.js';
import { FEATURES } from '../app/features.js';
import type { Part } from '../app/part.js';
import type { Work } from '../app/work.js';

/** In place of what pages and jobs work with: none is asked for anything until a request or a job comes. */
const NOTHING: unknown = new Proxy(() => undefined, { get: () => NOTHING, apply: () => NOTHING });

/** What each feature brings, as rows: the folder, its tables, pages, kinds of jobs and metrics. */
export async function mapFeatures(): Promise<string[][]> {
  const folders = globSync('src/app/*/feature.ts').map((file) => basename(dirname(file)));
  const found = await Promise.all(
    folders.map(async (folder) => {
      const manifest = (await import(`../app/${folder}/feature.js`)) as Readonly<Record<string, Feature>>;
      return { folder, feature: Object.values(manifest)[0] ?? {} };
    }),
  );
  const ordered = found.sort((one, other) => FEATURES.indexOf(one.feature) - FEATURES.indexOf(other.feature));
  return Promise.all(
    ordered.map(async ({ folder, feature }) => [
      `\`${folder}\``,
      listed(feature.tables ?? []),
      listed(pathsOf((await feature.pages?.())?.PAGES ?? [])),
      listed(jobsOf(feature)),
      listed([...readMetrics(folder), ...Object.keys(feature.gauges ?? {})]),
    ]),
  );
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' ');
}

/** The addresses that pages are shown at. */
function pathsOf(parts: readonly Part[]): string[] {
  const paths: string[] = [];
  const router = { get: (path: string) => paths.push(path), post: () => undefined };
  for (const add of parts) (add as (...given: unknown[]) => void)(router, NOTHING);
  return paths;
}

function jobsOf({ handlers, upkeep }: Feature): string[] {
  const kinds = Object.values(handlers?.(NOTHING as Work) ?? {}).flatMap((byKind) => Object.keys(byKind));
  return [...new Set(kinds), ...(upkeep?.(NOTHING as Work) ?? []).map(([kind]) => kind)];
}

function readMetrics(folder: string): string[] {
  return globSync(`src/app/${folder}/*-metrics.ts`).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?:define\w*\(\s*'|name: 'agent_readiness_)(\w+)'/g)].map(
      ([, name = '']) => name,
    ),
  );
}
