import t from 'tap';
import { parse } from 'yaml';
import { readProject } from '../support/project.js';

interface Service {
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string | number>>;
}

t.test('every variable of docs/configuration.md reaches every process of Compose', async (t) => {
  const rows = readProject('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]*)`|none)/gm);
  const documented = new Map([...rows].map(([, name, standard]) => [name ?? '', standard ?? '']));
  t.ok(documented.size > 15, 'the table is found');
  const { services } = parse(readProject('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
  };
  // Compose has a database and a proxy of its own, and its processes listen on the network of their containers.
  const own = ['DATABASE_URL', 'HOST', 'PORT', 'PUBLIC_URL', 'TRUST_PROXY'];
  for (const name of ['migrate', 'api', 'worker']) {
    const { environment } = services[name] ?? { environment: {} };
    t.same(Object.keys(environment).sort(), [...documented.keys()].sort(), name);
    for (const [variable, value] of Object.entries(environment)) {
      if (own.includes(variable)) continue;
      t.equal(value, `\${${variable}:-${documented.get(variable)}}`, `${name}: ${variable} is the operator's to set`);
    }
  }
});
