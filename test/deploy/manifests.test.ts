import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { VARIABLES } from '../../src/config.js';
import { isPublicAddress, parseCidr } from '../../src/net/address.js';
import { GRACE_MS } from '../../src/platform/http/server.js';
import { readFixture, readProject } from '../support/project.js';
import { SSRF_VECTORS } from '../support/ssrf-vectors.js';

type Labels = Readonly<Record<string, string>>;

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly valueFrom?: { readonly secretKeyRef: { name: string } } }[];
  readonly envFrom?: readonly { readonly secretRef?: { name: string } }[];
  readonly securityContext: { readonly runAsUser: number };
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly volumeMounts: readonly { readonly mountPath: string }[];
}

interface PodSpec {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds?: number;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector?: Labels & { readonly matchLabels?: Labels };
    readonly podSelector?: { readonly matchLabels?: Labels };
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
    readonly egress?: readonly {
      readonly to: readonly { readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] } }[];
    }[];
  };
}

const documents = parseAllDocuments(readProject('deploy/kubernetes.yaml')).map(
  (one) => one.toJS() as Omit<Manifest, 'spec'> & Partial<Manifest>,
);
/** A ConfigMap has no spec. */
const manifests = documents.map((one): Manifest => ({ spec: {}, ...one }));

function find(kind: string, name: string): Manifest {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

const pods = manifests.flatMap(({ metadata: { name }, spec: { template } }) => {
  if (!template) return [];
  const { initContainers = [], containers } = template.spec;
  const { labels } = template.metadata;
  return [{ name, labels, spec: template.spec, containers: [...initContainers, ...containers] }];
});

/** External schemas have keywords that we need not know. */
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
  t.equal(documents.length, 5);
  for (const one of documents) t.same(faultsOf(schemaOf(one.kind), one), [], one.metadata.name);
  const misspelled: unknown = JSON.parse(
    JSON.stringify(find('Deployment', 'serve')).replace('readOnlyRoot', 'readonlyRoot'),
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
  const files = ['compose.yaml', 'Dockerfile', 'deploy/kubernetes.yaml'];
  const named = files.flatMap((file) => [
    ...readProject(file).matchAll(/^(?:ARG NODE=|\s+image: (?:&\w+ )?)([^\s*$]+)$/gm),
  ]);
  const images = new Set(named.map(([, image = '']) => image).filter((image) => !image.endsWith('@sha256:DIGEST')));
  t.equal(images.size, 3, [...images].join(' '));
  for (const image of images) t.match(image, /\d+\.\d+(?:\.\d+)?[\w-]*@sha256:[0-9a-f]{64}$/);
  t.equal([...images].filter((image) => image.startsWith('postgres')).length, 1);
});

t.test(
  'every variable of a manifest is one of docs/configuration.md, and no secret one is in the ConfigMap',
  async (t) => {
    const { data = {} } = find('ConfigMap', 'agent-readiness');
    const documented = readProject('docs/configuration.md');
    const ofProgram = pods.flatMap((pod) => pod.containers.filter(({ image }) => image.includes('agent-readiness')));
    t.equal(ofProgram.length, 2);
    const names = [...Object.keys(data), ...ofProgram.flatMap(({ env = [] }) => env.map(({ name }) => name))];
    for (const name of names) t.ok(name in VARIABLES && documented.includes(`| \`${name}\` |`), name);
    const secret = ['DATABASE_URL', 'SMTP_URL', 'METRICS_TOKEN'];
    for (const name of secret) t.notOk(name in data, name);
  },
);

t.test('only the Job that migrates knows the owner of the tables', async (t) => {
  const secretsOf = (containers: readonly Container[]): readonly string[] =>
    containers.flatMap(({ env = [], envFrom = [] }) => [
      ...env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.name ?? []),
      ...envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
    ]);
  const known = Object.fromEntries(pods.map(({ name, containers }) => [name, [...new Set(secretsOf(containers))]]));
  t.same(known, { serve: ['agent-readiness-serve'], migrate: ['agent-readiness-migrate'] });
});

t.test('nothing runs as root, writes to its image or goes without limits', async (t) => {
  const isHardened = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
  const isConfined = {
    securityContext: {
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    },
    resources: { requests: { cpu: /^\d+m$/, memory: /^\d+Mi$/ }, limits: { memory: /^\d+[MG]i$/ } },
  };
  for (const { name, spec, containers } of pods) {
    t.match(spec, { automountServiceAccountToken: false, securityContext: isHardened }, name);
    for (const container of containers) {
      t.match(container, isConfined, `${name}: ${container.name}`);
      t.ok(container.securityContext.runAsUser > 0);
      t.ok(container.volumeMounts.some(({ mountPath }) => mountPath === '/tmp'));
    }
  }
});

t.test('the service is probed, and given the time to end its runs', async (t) => {
  const pod = find('Deployment', 'serve').spec.template?.spec;
  const [container] = pod?.containers ?? [];
  const asked = (path: string): object => ({ httpGet: { path, port: 'http' } });
  t.match(container, {
    startupProbe: asked('/healthz'),
    livenessProbe: asked('/healthz'),
    readinessProbe: asked('/readyz'),
    ports: [
      { name: 'http', containerPort: 3000 },
      { name: 'metrics', containerPort: Number(find('ConfigMap', 'agent-readiness').data?.METRICS_PORT) },
    ],
  });
  const untilStopMs = (container?.lifecycle?.preStop.sleep.seconds ?? NaN) * 1000;
  t.ok((pod?.terminationGracePeriodSeconds ?? 0) * 1000 >= untilStopMs + GRACE_MS + 5000);
});

t.test('every selector selects a pod that is there', async (t) => {
  const selecting = manifests.flatMap(({ kind, metadata, spec }) => {
    const labels = spec.podSelector?.matchLabels ?? spec.selector?.matchLabels ?? spec.selector;
    return labels === undefined ? [] : [{ who: `${kind} ${metadata.name}`, labels }];
  });
  t.equal(selecting.length, 3);
  for (const { who, labels } of selecting) {
    const selected = pods.filter((pod) => Object.entries(labels).every(([name, value]) => pod.labels[name] === value));
    t.ok(selected.length > 0, who);
  }
  for (const { metadata } of manifests) t.equal(metadata.namespace, 'agent-readiness');
});

t.test('the network policy lets out to the addresses that the program scans, and to no others', async (t) => {
  const peers = (find('NetworkPolicy', 'agent-readiness').spec.egress ?? []).flatMap(({ to }) => to);
  const blocks = peers.flatMap(({ ipBlock }) => (ipBlock?.except ? [ipBlock] : []));
  t.same(
    blocks.map(({ cidr }) => cidr),
    ['0.0.0.0/0', '2000::/3'],
  );
  const except = blocks.flatMap((block) => block.except ?? []).map((text) => parseCidr(text));
  for (const cidr of except) t.notOk(isPublicAddress(cidr?.text.replace(/\/.*/, '') ?? ''), cidr?.text ?? 'no range');
  const grid = Array.from({ length: 65_536 }, (_, index) => `${index >> 8}.${index & 255}.0.1`);
  // Ranges smaller than the grid.
  const vectors = SSRF_VECTORS.filter(({ kind, input }) => kind === 'address' && /^\d+(\.\d+){3}$/.test(input));
  const sampled = [...grid, ...vectors.map(({ input }) => input)];
  const wrong = sampled.filter(
    (address) => isPublicAddress(address) === except.some((cidr) => cidr?.contains(address)),
  );
  t.same(wrong, []);
});
