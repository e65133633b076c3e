import { globSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { VARIABLES } from '../../src/config.js';
import { isPublicAddress } from '../../src/net/address.js';
import { GRACE_MS } from '../../src/platform/http/server.js';
import { PROJECT, readFixture, readProject } from '../support/project.js';

type Labels = Readonly<Record<string, string>>;

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly valueFrom?: { readonly secretKeyRef: { name: string } } }[];
  readonly envFrom?: readonly { readonly configMapRef?: { name: string }; readonly secretRef?: { name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: { readonly runAsUser: number };
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface PodSpec {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds?: number;
}

interface Peer {
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector?: Labels & { readonly matchLabels?: Labels };
    readonly podSelector?: { readonly matchLabels?: Labels };
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
    readonly egress?: readonly { readonly to: readonly Peer[] }[];
  };
}

const documents = globSync('deploy/kubernetes/*.yaml', { cwd: PROJECT }).flatMap((file) =>
  parseAllDocuments(readProject(file)).map((one) => one.toJS() as Omit<Manifest, 'spec'> & Partial<Manifest>),
);
/** A ConfigMap and a Namespace have no spec. */
const manifests = documents.map((one): Manifest => ({ spec: {}, ...one }));

function find(kind: string, name: string): Manifest {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

const pods = manifests.flatMap(({ metadata, spec }) =>
  spec.template ? [{ name: metadata.name, labels: spec.template.metadata.labels, spec: spec.template.spec }] : [],
);
const containersOf = ({ initContainers = [], containers }: PodSpec): readonly Container[] => [
  ...initContainers,
  ...containers,
];

/** Schemas of others, who mark what we need not know. */
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

function faultsOf(validate: ValidateFunction, value: unknown): readonly string[] {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

t.test('every manifest is what the schema of its kind describes', async (t) => {
  ajv.addSchema(JSON.parse(readFixture('schemas-deploy/kubernetes.json')) as object, 'kubernetes');
  const schemaOf = (kind: string): ValidateFunction => {
    const validate = ajv.getSchema(`kubernetes#/$defs/${kind}`);
    if (validate === undefined) throw new Error(`no schema of ${kind}`);
    return validate;
  };
  t.ok(documents.length >= 14);
  for (const one of documents) t.same(faultsOf(schemaOf(one.kind), one), [], one.metadata.name);
  const misspelled: unknown = JSON.parse(
    JSON.stringify(find('Deployment', 'api')).replace('readOnlyRoot', 'readonlyRoot'),
  );
  t.match(faultsOf(schemaOf('Deployment'), misspelled).join(), /securityContext must NOT have additional properties/);
});

t.test('compose.yaml is what the schema of Compose describes', async (t) => {
  const validate = ajv.compile(JSON.parse(readFixture('schemas-deploy/compose.json')) as object);
  const compose = parse(readProject('compose.yaml'), { merge: true }) as Record<string, object>;
  t.same(faultsOf(validate, compose), []);
  t.not(faultsOf(validate, { ...compose, services: { api: { memory_limit: '2g' } } }).length, 0);
});

t.test('every image of others is named by version and digest, and PostgreSQL is the same one everywhere', async (t) => {
  const files = ['compose.yaml', 'Dockerfile', ...globSync('deploy/kubernetes/*.yaml', { cwd: PROJECT })];
  const named = files.flatMap((file) => [
    ...readProject(file).matchAll(/^(?:ARG NODE=|\s+image: (?:&\w+ )?)([^\s*$]+)$/gm),
  ]);
  const images = new Set(named.map(([, image = '']) => image).filter((image) => !image.endsWith('@sha256:DIGEST')));
  t.equal(images.size, 5, [...images].join(' '));
  for (const image of images) t.match(image, /\d+\.\d+(?:\.\d+)?[\w-]*@sha256:[0-9a-f]{64}$/);
  t.equal([...images].filter((image) => image.startsWith('postgres')).length, 1);
});

t.test(
  'every variable of a manifest is one of docs/configuration.md, and no secret one is in the ConfigMap',
  async (t) => {
    const { data = {} } = find('ConfigMap', 'agent-readiness');
    const documented = readProject('docs/configuration.md');
    const ofProgram = pods.flatMap(({ spec }) =>
      containersOf(spec).filter(({ image }) => image.includes('agent-readiness')),
    );
    t.equal(ofProgram.length, 3);
    const names = [...Object.keys(data), ...ofProgram.flatMap(({ env = [] }) => env.map(({ name }) => name))];
    for (const name of names) t.ok(name in VARIABLES && documented.includes(`| \`${name}\` |`), name);
    const secret = ['DATABASE_URL', 'SIGNING_KEY', 'SMTP_URL', 'METRICS_TOKEN'];
    for (const name of secret) t.notOk(name in data, name);
    t.match(readProject('deploy/kubernetes/configuration.yaml').replaceAll('\n# ', ' '), `(${secret.join(', ')})`);
  },
);

t.test('only the Job that migrates knows the owner of the tables', async (t) => {
  const secretsOf = (spec: PodSpec): readonly string[] =>
    containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
      ...env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.name ?? []),
      ...envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
    ]);
  const known = Object.fromEntries(pods.map(({ name, spec }) => [name, [...new Set(secretsOf(spec))]]));
  const serving = ['agent-readiness-serve'];
  t.same(known, { api: serving, worker: serving, migrate: ['agent-readiness-migrate'] });
});

t.test('nothing runs as root, writes to its image or goes without limits', async (t) => {
  for (const { name, spec } of pods) {
    const hardened = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
    t.match(spec, { automountServiceAccountToken: false, securityContext: hardened }, name);
    for (const container of containersOf(spec)) {
      t.match(
        container,
        {
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
          resources: { requests: { cpu: /^\d+m$/, memory: /^\d+Mi$/ }, limits: { memory: /^\d+[MG]i$/ } },
        },
        `${name}: ${container.name}`,
      );
      t.ok(container.securityContext.runAsUser > 0);
      t.ok(container.volumeMounts.some(({ mountPath }) => mountPath === '/tmp'));
    }
  }
});

t.test(
  'what serves is asked whether it lives and whether it works, and is given the time to end its runs',
  async (t) => {
    for (const name of ['api', 'worker']) {
      const { spec } = find('Deployment', name);
      const pod = spec.template?.spec;
      const [container] = pod?.containers ?? [];
      const asked = (path: string): object => ({ httpGet: { path, port: 'http' } });
      t.match(container, {
        args: ['serve', '--role', name],
        startupProbe: asked('/healthz'),
        livenessProbe: asked('/healthz'),
        readinessProbe: asked('/readyz'),
        ports: [
          { name: 'http', containerPort: 3000 },
          { name: 'metrics', containerPort: Number(find('ConfigMap', 'agent-readiness').data?.METRICS_PORT) },
        ],
      });
      const untilStopMs = (container?.lifecycle?.preStop.sleep.seconds ?? NaN) * 1000;
      t.ok((pod?.terminationGracePeriodSeconds ?? 0) * 1000 >= untilStopMs + GRACE_MS + 5000, name);
      t.match(find('PodDisruptionBudget', name).spec, { maxUnavailable: 1 });
    }
  },
);

t.test('every selector selects a pod that is there', async (t) => {
  const selecting = manifests.flatMap(({ kind, metadata, spec }) => {
    const labels = spec.podSelector?.matchLabels ?? spec.selector?.matchLabels ?? spec.selector;
    return labels === undefined ? [] : [{ who: `${kind} ${metadata.name}`, labels }];
  });
  t.equal(selecting.length, 9);
  for (const { who, labels } of selecting) {
    const selected = pods.filter((pod) => Object.entries(labels).every(([name, value]) => pod.labels[name] === value));
    t.ok(selected.length > 0, who);
  }
  for (const { kind, metadata } of manifests)
    t.equal(metadata.namespace ?? kind, kind === 'Namespace' ? kind : 'agent-readiness');
});

t.test('the egress wall has exactly the ranges that the program denies by itself', async (t) => {
  const [rule] = find('NetworkPolicy', 'public-addresses').spec.egress ?? [];
  const blocks = (rule?.to ?? []).map(({ ipBlock }) => ipBlock);
  t.same(
    blocks.map((block) => block?.cidr),
    ['0.0.0.0/0', '2000::/3'],
  );
  const walled = blocks.flatMap((block) => block?.except ?? []);
  const [, lists = ''] =
    /const DENIED_V4([^]*?)export function isPublicAddress/.exec(readProject('src/net/address.ts')) ?? [];
  const denied = [...lists.matchAll(/[0-9a-f.:]+\/\d+/g)].map(([cidr]) => cidr).filter((cidr) => cidr !== '2000::/3');
  t.ok(denied.length > 20);
  t.same([...walled].sort(), denied.sort());
  for (const cidr of walled) t.notOk(isPublicAddress(cidr.replace(/\/.*/, '')), cidr);
});
