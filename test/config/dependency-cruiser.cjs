/** Which folder of src may import which others. What is not named here is forbidden. `scanner` alone means all of it. */
const SCANNER = {
  'scanner/artifacts': ['net'],
  'scanner/parsers': ['net', 'scanner/artifacts'],
  'scanner/client': ['net', 'scanner/artifacts', 'scanner/parsers'],
  'scanner/verdict': ['net', 'scanner/artifacts'],
  'scanner/probe': ['net', 'scanner/artifacts', 'scanner/parsers', 'scanner/client'],
  'scanner/gatherers': ['net', 'scanner/artifacts', 'scanner/parsers', 'scanner/client', 'scanner/probe'],
  'scanner/checks': ['net', 'scanner/artifacts', 'scanner/parsers', 'scanner/verdict'],
  'scanner/trace': ['net', 'scanner/artifacts', 'scanner/parsers', 'scanner/client', 'scanner/verdict'],
  'scanner/report': ['net', 'scanner/artifacts', 'scanner/verdict', 'scanner/checks'],
  'scanner/scan': [
    'net',
    'scanner/artifacts',
    'scanner/client',
    'scanner/verdict',
    'scanner/probe',
    'scanner/gatherers',
    'scanner/checks',
    'scanner/trace',
    'scanner/report',
  ],
};
/** What every page may show. */
const SHOWN = ['scanner/artifacts', 'scanner/verdict', 'scanner/report', 'app', 'platform'];
const ROOMS = {
  net: [],
  ...SCANNER,
  platform: ['net', 'scanner/artifacts', 'scanner/scan'],
  store: ['platform'],
  queue: ['platform', 'store'],
  app: [
    'net',
    'scanner/artifacts',
    'scanner/client',
    'scanner/verdict',
    'scanner/trace',
    'scanner/report',
    'scanner/scan',
    'platform',
    'store',
    'queue',
  ],
  api: ['app', 'platform'],
  'web/html': ['scanner/artifacts', 'scanner/verdict', 'scanner/report', 'platform', 'web/server'],
  'web/server': [...SHOWN, 'web/html'],
  'web/pages': [...SHOWN, 'net', 'scanner/scan', 'scanner/trace', 'store', 'web/html', 'web/server', 'web/public'],
  'web/agents': [...SHOWN, 'web/html', 'web/server', 'web/public'],
  'web/public': [...SHOWN, 'store', 'web/html', 'web/server'],
  mcp: ['net', 'scanner/parsers', 'scanner/verdict', 'scanner/report', 'app', 'platform'],
  cli: ['net', 'scanner', 'app', 'platform'],
  package: ['net', 'scanner', 'app', 'platform', 'cli'],
  build: ['scanner', 'app', 'platform'],
};

/** The features in their order: each may import those before it. */
const FEATURES = [
  'limits',
  'audit',
  'accounts',
  'keys',
  'sites',
  'evidence',
  'runs',
  'publications',
  'automation',
  'triage',
  'alerts',
  'free-scan',
  'data',
  'demo',
];

/** Packages that only these rooms may import. */
const OWNED_PACKAGES = {
  knex: ['store', 'queue', 'app'],
  pg: ['store'],
  'better-sqlite3': ['store'],
  koa: ['api', 'web', 'mcp', 'app/automation', 'wiring', 'platform/http'],
  '@koa/router': ['web'],
  'koa-bodyparser': ['web'],
  preact: ['web'],
  'preact-render-to-string': ['web'],
  'openapi-backend': ['api'],
  '@modelcontextprotocol/server': ['mcp'],
  commander: ['cli'],
  'prom-client': ['platform', 'app', 'wiring'],
  nodemailer: ['platform'],
};

const roomRules = Object.entries(ROOMS).map(([room, mayImport]) => ({
  name: `${room}-imports-one-way`,
  comment:
    `src/${room} may import ${mayImport.length > 0 ? mayImport.join(', ') : 'nothing else of src'}. What it shares with ` +
    'another room belongs to one of these, or is handed in as a value or a function.',
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: '^src/',
    pathNot:
      `^src/(${[room, ...mayImport].join('|')})/` +
      (room.startsWith('scanner/') ? '|^src/scanner/limits\\.ts$' : '') +
      (['build', 'cli', 'package'].includes(room) ? '|^src/(config|node-version)\\.ts$' : ''),
  },
}));

/** Each of these folders may import those before it, and none that comes after. */
function inOrder(folders, otherwise) {
  return folders.slice(0, -1).map((folder, index) => ({
    name: `${folder}-imports-earlier-ones`,
    comment:
      `What ${folder} shares with a later folder belongs to ${folder}, or to one before it: ` +
      `${folders.slice(0, index).join(', ') || 'there is none'}. ${otherwise}`,
    severity: 'error',
    from: { path: `^src/${folder}/` },
    to: { path: `^src/(${folders.slice(index + 1).join('|')})/` },
  }));
}

const orderRules = [
  ...inOrder(['net', ...Object.keys(SCANNER)], 'What only the later one knows is handed to it.'),
  ...inOrder(
    FEATURES.map((feature) => `app/${feature}`),
    'Where a later one acts within its transaction, app.ts hands in a function.',
  ),
];

const packageRules = Object.entries(OWNED_PACKAGES).map(([name, rooms]) => ({
  name: `only-${rooms.join('-')}-imports-${name}`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/(${rooms.join('|')})/` },
  to: { path: `^node_modules/${name}/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing-imports-main', severity: 'error', from: {}, to: { path: '^src/main\\.ts$' } },
    {
      name: 'only-the-program-imports-wiring',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(program\\.ts$|scan-worker\\.ts$|wiring/)' },
      to: { path: '^src/wiring/' },
    },
    {
      name: 'only-the-guard-imports-undici',
      comment: 'One module makes connections, and each of them passes the guard: see openNetworkTransport.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/net/network-transport\\.ts$' },
      to: { path: 'node_modules/undici/|^undici$' },
    },
    {
      name: 'no-http-client-of-node',
      comment:
        'Strangers are visited through the guard only. The one server of the program is made in src/platform/http/server.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/http/server\\.ts$' },
      to: { path: '^(node:)?https?$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-sockets-of-node',
      comment:
        'No module opens a socket past the guard, or starts what could. For node:net see no-restricted-imports of eslint.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        path: '^(node:)?(http2|tls|_tls_|_http_|dgram|inspector|child_process|cluster)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-scripts-in-vm',
      comment: 'Code comes from modules, which the rules of imports see.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(node:)?vm$' },
    },
    {
      name: 'only-scans-have-a-thread',
      comment: 'Scans must not delay what answers requests.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/(scan-worker|wiring/scan-thread)\\.ts$',
      },
      to: { path: '^(node:)?worker_threads', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-the-resolver-asks-the-dns',
      comment: 'The guard vets what the resolver answers.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/net/resolver\\.ts$' },
      to: { path: '^(node:)?dns(/promises)?$' },
    },
    {
      name: 'only-wiring-opens-the-network',
      comment:
        'What visits a site, posts to a receiver or vets an address for them is handed over, so that tests can take its place.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(scan-worker\\.ts$|(wiring|package|net|scanner)/)' },
      to: {
        path: '^src/(scanner/scan/scanner|net/(post|network-transport|guard|resolver))\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-the-client-sends',
      comment:
        'What gathers asks the visit that it is handed, and what judges asks nobody: neither passes the budget and the limits of a visit by.',
      severity: 'error',
      from: { path: '^src/scanner/', pathNot: '^src/scanner/(client|trace|scan)/' },
      to: {
        path: '^src/net/',
        pathNot: '^src/net/(address|failure|keyed|transport|url-gate)\\.ts$',
      },
    },
    {
      name: 'every-feature-has-its-place',
      comment: 'A new feature is put into FEATURES, above, after those that it imports.',
      severity: 'error',
      from: { path: '^src/app/', pathNot: `^src/app/((${FEATURES.join('|')})/|[a-z-]+\\.ts$)` },
      to: {},
    },
    {
      name: 'services-do-not-know-the-list-of-them',
      comment: 'A service takes the earlier ones that it uses by their own types: app.ts makes it.',
      severity: 'error',
      from: { path: '^src/app/[^/]+/(?!pages/)', pathNot: '^src/app/(demo/|automation/hook-app\\.ts$)' },
      to: { path: '^src/app/(app|admin|cleanups|part)\\.ts$' },
    },
    {
      name: 'only-pages-know-the-kit',
      severity: 'error',
      from: { path: '^src/app/[^/]+/(?!pages/)' },
      to: { path: '^src/web/' },
    },
    {
      name: 'no-other-http-client',
      comment: 'A client of another package would know nothing of the guard.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        path: '(^|node_modules/)(axios|got|node-fetch|needle|superagent|ky|request|ws|follow-redirects|cross-fetch)(/|$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'registry-only-through-its-index',
      severity: 'error',
      from: { path: '^src/(?!scanner/checks/)' },
      to: { path: '^src/scanner/checks/', pathNot: '^src/scanner/checks/index\\.ts$' },
    },
    {
      name: 'no-test-in-source',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^test/' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...roomRules,
    ...orderRules,
    ...packageRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
