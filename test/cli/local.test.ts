import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startFixtureServer } from '../support/fixture-server.js';
import { runCommand } from '../support/program.js';

t.test('--local scans a server of one’s own, with what opens it', async (t) => {
  const page = '<!doctype html><title>Home</title><p>Hello</p>';
  const seen = new Set<string | undefined>();
  const site = await startFixtureServer({
    routes: {
      '*': ({ headers }) => {
        seen.add(headers['x-preview']);
        return headers['x-preview'] === 'open-sesame' ? page : { status: 401, body: 'no' };
      },
    },
  });
  t.teardown(() => site.close());
  const address = `http://localhost:${site.port}`;
  const record = join(t.testdir(), 'site.har');
  const header = ['--header', 'X-Preview: open-sesame'];
  const args = ['scan', `${address}/deep/page`, '--local', ...header, '--record', record, '--json'];
  const { exitCode, stdout } = await runCommand(args);
  t.equal(exitCode, 0);
  t.match(JSON.parse(stdout), { site: { hostname: `localhost:${site.port}` } });
  t.same([...seen], ['open-sesame'], 'each request had it');
  const { stdout: forAgent } = await runCommand([...args.slice(0, 5), '--format', 'agent']);
  t.match(forAgent, `run \`agent-readiness-scan scan --local ${address} --only C-`);
  t.notMatch(forAgent, /verify_fix|open-sesame/);
  const recorded = readFileSync(record, 'utf8');
  t.match(recorded, '/deep/page');
  t.notMatch(recorded + stdout, 'open-sesame');
  t.equal((await runCommand(['scan', '--replay', record, '--json'])).stdout, stdout, 'the page is judged again, too');
  t.match(await runCommand(['scan', address]), { exitCode: 2, stderr: /^[^\n]*--local\.\n$/ }, 'without it');
  const link = await runCommand(['scan', 'http://169.254.169.254', '--local']);
  t.match(link, { exitCode: 2, stderr: /^--local: 169\.254\.169\.254 / });
});

t.test('--as judges what a server of one’s own serves as the site that it will be', async (t) => {
  const site = 'https://www.fixture-site.com';
  const hosts = new Set<string | undefined>();
  const entry = (path: string): string => `<url><loc>${site}${path}</loc></url>`;
  const server = await startFixtureServer((origin) => ({
    routes: {
      '*': ({ headers }) => (hosts.add(headers.host), { status: 404, body: 'nothing here' }),
      '/': `<!doctype html><html lang="en"><title>Home</title><link rel="canonical" href="${site}/"><h1>Home</h1>`,
      '/new': '<!doctype html><html lang="en"><title>New</title><h1>New</h1>',
      '/old': { status: 301, headers: { location: `${origin}/new` } },
      '/sitemap.xml': `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entry('/')}${entry('/new')}</urlset>`,
      '/llms.txt': `# Shop\n\n> A shop.\n\n## Pages\n\n- [Old](${site}/old)\n- [Gone](${site}/gone)\n`,
    },
  }));
  t.teardown(() => server.close());
  const scan = async (...more: string[]) => {
    const { exitCode, stdout } = await runCommand(['scan', '--local', server.origin, ...more, '--json']);
    t.equal(exitCode, 0);
    return JSON.parse(stdout) as { site: unknown; findings: { checkId: string; result: string; detail: string }[] };
  };
  const judged = await scan('--as', site, '--header', 'X-Preview: open-sesame');
  t.same(judged.site, { hostname: `127.0.0.1:${server.port}`, origin: server.origin, judgedAs: site });
  t.same([...hosts], [`127.0.0.1:${server.port}`], 'it is asked by its own name');
  const of = (checkId: string) => judged.findings.find((finding) => finding.checkId === checkId);
  t.match(of('C-SITE-02'), { result: 'PASS', detail: /2 of 2/ });
  t.match(of('C-LLMS-03'), { result: 'FAIL', errorType: 'DEAD_LINK', detail: /1 of 2/ });
});
