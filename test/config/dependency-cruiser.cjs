/** The house of the source: which room may import which. Everything that is not named is forbidden. */
const ROOMS = {
  domain: [],
  parse: ['domain'],
  checks: ['domain', 'parse'],
  gather: ['domain', 'parse'],
  scan: ['domain', 'checks', 'gather'],
  store: ['domain'],
  platform: ['domain'],
  service: ['domain', 'parse', 'gather', 'scan', 'store'],
  http: ['domain', 'service', 'platform'],
  web: ['domain', 'checks', 'service', 'platform'],
  mcp: ['domain', 'checks', 'service', 'platform'],
  hooks: ['domain', 'service', 'platform'],
  jobs: ['domain', 'service', 'platform'],
  demo: ['domain', 'service', 'platform'],
  cli: ['domain', 'checks', 'scan', 'service', 'platform'],
  build: ['domain', 'checks'],
};

/** Packages that only these rooms may import. */
const OWNED_PACKAGES = {
  knex: ['store'],
  pg: ['store'],
  'better-sqlite3': ['store'],
  koa: ['http', 'web', 'mcp', 'hooks', 'platform'],
  '@koa/router': ['web'],
  'koa-bodyparser': ['web'],
  preact: ['web'],
  'preact-render-to-string': ['web'],
  'swagger-ui-dist': ['web'],
  'openapi-backend': ['http'],
  '@modelcontextprotocol/server': ['mcp'],
  commander: ['cli'],
  'graphile-worker': ['jobs'],
  'prom-client': ['platform'],
  nodemailer: ['platform'],
};

const roomRules = Object.entries(ROOMS).map(([room, mayImport]) => ({
  name: `${room}-imports-one-way`,
  comment: `src/${room} may import ${mayImport.length > 0 ? mayImport.join(', ') : 'nothing else of src'}.`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: '^src/',
    pathNot:
      `^src/(${[room, ...mayImport].join('|')})/` + (['build', 'cli'].includes(room) ? '|^src/config\\.ts$' : ''),
  },
}));

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
      name: 'only-main-imports-wiring',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(main\\.ts$|wiring/)' },
      to: { path: '^src/wiring/' },
    },
    {
      name: 'only-the-guard-imports-undici',
      comment: 'One module makes connections, and each of them passes the guard: see openGuardedAgent.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/gather/guard/connector\\.ts$' },
      to: { path: 'node_modules/undici/|^undici$' },
    },
    {
      name: 'no-http-client-of-node',
      comment:
        'Strangers are visited through the guard only. The one server of the program is made in src/http/server.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/http/server\\.ts$' },
      to: { path: '^(node:)?https?$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-sockets-of-node',
      comment:
        'No module opens a socket past the guard, or starts what could. For node:net see no-restricted-imports of eslint.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        path: '^(node:)?(http2|tls|_tls_|_http_|dgram|inspector|child_process|cluster|worker_threads|vm$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-the-resolver-asks-the-dns',
      comment:
        'The guard vets what the resolver answers. own-endpoint.ts looks up the address that the operator listens on.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(gather/guard/resolver|wiring/own-endpoint)\\.ts$' },
      to: { path: '^(node:)?dns(/promises)?$' },
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
      from: { path: '^src/(?!checks/)' },
      to: { path: '^src/checks/', pathNot: '^src/checks/index\\.ts$' },
    },
    {
      name: 'no-test-in-source',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^test/' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...roomRules,
    ...packageRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
