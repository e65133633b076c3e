import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { COLLECTORS } from '../../../src/scanner/gather/collect/collectors.js';
import { frontDoors } from './front-doors.js';
import type { House } from './house.js';
import { SITE_DOORS } from './site-doors.js';
import { PROJECT, readProject } from '../../support/project.js';

const SRC = join(PROJECT, 'src');

/** A call by which an address gets to the network or before the guard. */
const CALL = new RegExp(
  [
    String.raw`\b(?:visit|context)\.(?:fetch|read|readFile|probeLink)\(`,
    String.raw`(?<!function )\b(?:probeLink|readNamed|readWellKnown|readSitemap|probeEndpoint|answersJsonRpc)(?:<\w+>)?\(`,
    String.raw`(?<!function )\b(?:fetchSameHost\w+|openNetworkTransport|open(?:Late|Network)Visit|create(?:Late)?(?:Poster|Scanner))\(`,
    String.raw`(?<!function )(?<!\w)(?:vetTarget|vetWebhook|vetSite|resolveTxt)\(`,
  ].join('|'),
  'g',
);

/**
 * How often each file makes such a call. What is not said to ask for paths of the site itself, or to hand on what another file has
 * vetted, is a door: it has a row in site-doors.ts or front-doors.ts. Whoever adds a call adds to this table, and a door with it.
 */
const CALLS: Readonly<Record<string, number | readonly [count: number, isNoDoor: string]>> = {
  'cli/scan.ts': 1,
  'scanner/gather/collect/a2a.ts': [4, 'well-known paths, then readNamed and probeEndpoint'],
  'scanner/gather/collect/agent-reply.ts': [1, 'the home page, as it was answered before'],
  'scanner/gather/collect/api-metadata.ts': 4,
  'scanner/gather/collect/endpoint-probe.ts': 2,
  'scanner/gather/collect/collector.ts': [1, 'an interface'],
  'scanner/gather/collect/forward-signals.ts': [1, 'paths of the site itself'],
  'scanner/gather/collect/llms-links.ts': 1,
  'scanner/gather/collect/llms.ts': [1, 'a path of the site itself'],
  'scanner/gather/collect/manifest-document.ts': 2,
  'scanner/gather/collect/markdown.ts': 3,
  'scanner/gather/collect/mcp.ts': [4, 'well-known paths, then readNamed and probeEndpoint'],
  'scanner/gather/collect/robots.ts': [1, 'a path of the site itself'],
  'scanner/gather/collect/same-as.ts': 2,
  'scanner/gather/collect/sample.ts': 1,
  'scanner/gather/collect/sitemap-entries.ts': 2,
  'scanner/gather/collect/sitemap-foreign.ts': 1,
  'scanner/gather/collect/sitemap-read.ts': [2, 'for sitemaps.ts and sitemap-entries.ts'],
  'scanner/gather/collect/sitemaps.ts': 1,
  'scanner/gather/context/baseline.ts': [2, 'the home page of the site itself: every run is a door'],
  'scanner/gather/context/context.ts': [5, 'what collectors ask for'],
  'scanner/gather/context/control.ts': [1, 'a path at the host that a collector asks'],
  'scanner/gather/context/link-probe.ts': 2,
  'scanner/gather/fetch/post.ts': 1,
  'scanner/gather/fetch/same-host.ts': 2,
  'scanner/gather/guard/guard.ts': [1, 'the guard itself'],
  'scanner/gather/guard/resolver.ts': [2, 'the resolver itself'],
  'scanner/gather/guard/vet-target.ts': [1, 'the guard itself'],
  'scanner/gather/guard/vet-webhook.ts': [1, 'the guard itself'],
  'scanner/scan/scanner.ts': 2,
  'app/alerts/add-webhook.ts': 1,
  'app/free-scan/free-scan-desk.ts': 1,
  'app/sites/ownership.ts': [3, 'same-host.ts, and a TXT record, which is no address'],
  'app/sites/sites.ts': 1,
  'wiring/alerting.ts': [2, 'given to the services'],
  'wiring/desk.ts': [3, 'given to the services'],
  'wiring/scanning.ts': [5, 'given to the command line and the services'],
  'wiring/services.ts': [1, 'given to the services'],
};

/** The fields of the forms of the pages that name a target, and those that do not. */
const TARGET_FIELDS = [
  'src/app/alerts/pages/alerts-page.tsx url',
  'src/app/free-scan/pages/routes.tsx site',
  'src/app/sites/pages/add-page.tsx site',
];
const OTHER_FIELDS = ['alerts', 'current', 'email', 'frequency', 'name', 'next', 'password'];

t.test('every call that takes an address to the network is known, and every door among them has a row', async (t) => {
  const doors = new Set(
    [...SITE_DOORS, ...frontDoors({ services: {} } as unknown as House)].map(({ module }) => module),
  );
  const counts = Object.fromEntries(
    sourceFiles().flatMap((file) => {
      const count = readFileSync(join(SRC, file), 'utf8').match(CALL)?.length ?? 0;
      return count > 0 ? [[file, count]] : [];
    }),
  );
  t.same(
    counts,
    Object.fromEntries(
      Object.entries(CALLS).map(([file, calls]) => [file, typeof calls === 'number' ? calls : calls[0]]),
    ),
  );
  for (const [file, calls] of Object.entries(CALLS))
    if (typeof calls === 'number') t.ok(doors.has(file), `${file} has a door`);
});

t.test('every kind of evidence that is gathered from the network has a door', async (t) => {
  const kinds = new Set(SITE_DOORS.map(({ kind }) => kind));
  // The document of llms.txt is read from what `llms` fetched.
  t.same(
    Object.keys(COLLECTORS).filter((kind) => !kinds.has(kind as keyof typeof COLLECTORS)),
    ['llmsDocument'],
  );
});

t.test('every field of a form that names a target has a door', async (t) => {
  const fields = sourceFiles().flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(/\bfieldOf\(exchange, '(\w+)'\)/g)].map(([, name = '']) => ({
      file,
      name,
    })),
  );
  const targets = fields.filter(({ name }) => !OTHER_FIELDS.includes(name));
  t.same(targets.map(({ file, name }) => `src/${file} ${name}`).sort(), TARGET_FIELDS);
});

t.test('no operation of the API takes an address', async (t) => {
  const { components, paths } = JSON.parse(readProject('generated/openapi.json')) as {
    readonly components: { readonly parameters: Readonly<Record<string, { readonly name: string }>> };
    readonly paths: Readonly<
      Record<
        string,
        Readonly<
          Record<string, { readonly parameters?: readonly { readonly name?: string }[]; readonly requestBody?: object }>
        >
      >
    >;
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const named = operations.flatMap(({ parameters = [] }) => parameters.flatMap(({ name }) => name ?? []));
  const shared = Object.values(components.parameters).map(({ name }) => name);
  t.same([...new Set([...named, ...shared])].sort(), ['If-None-Match', 'number', 'siteId']);
  t.ok(operations.every(({ requestBody }) => requestBody === undefined));
});

function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .sort();
}
