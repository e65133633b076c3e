import { createHash, createPublicKey, verify } from 'node:crypto';
import t from 'tap';
import { readSkillIndex } from '../../../src/scanner/parsers/manifests/agent-skills.js';
import { MessageSigner } from '../../../src/scanner/artifacts/message-signer.js';
import { parseRobots } from '../../../src/scanner/parsers/robots.js';
import { decide, groupsFor } from '../../../src/scanner/parsers/robots-match.js';
import { ADDRESSES } from '../../../src/web/site/discovery/addresses.js';
import { formatSecurityTxt } from '../../../src/web/site/discovery/security-txt.js';
import { PUBLIC_PAGE_LIST } from '../../../src/web/kit/public-pages.js';
import { onSqlite } from '../../support/databases.js';
import { SIGNING_KEY } from '../../support/signing-key.js';
import { startWeb, WEB_URL } from '../../support/web.js';

const MCP_DOCUMENTS = {
  serverCard: { name: 'card' },
  manifest: { name: 'manifest' },
  registryEntry: { name: 'registry entry' },
  catalogEntry: { name: 'entry' },
};

/** Every document, with its media type. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  '/llms.txt': 'text/plain; charset=utf-8',
  '/llms-full.txt': 'text/plain; charset=utf-8',
  '/robots.txt': 'text/plain; charset=utf-8',
  '/sitemap.xml': 'application/xml',
  '/.well-known/security.txt': 'text/plain; charset=utf-8',
  '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  '/.well-known/ard.json': 'application/json',
  '/.well-known/agent-skills/index.json': 'application/json',
  '/.well-known/agent-skills/make-site-agent-ready/SKILL.md': 'text/markdown; charset=utf-8',
  '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
  '/.well-known/mcp/server-card.json': 'application/mcp-server-card+json',
  '/mcp/server-card': 'application/mcp-server-card+json',
  '/mcp/server.json': 'application/json',
  '/.well-known/mcp.json': 'application/json',
};

onSqlite(async (t, engine) => {
  const web = await startWeb(t, await engine.openDb(t), { mcpDocuments: MCP_DOCUMENTS });
  const visitor = web.newVisitor();
  const textOf = async (path: string): Promise<string> => (await visitor.get(path, { accept: '*/*' })).text;
  const jsonOf = async (path: string): Promise<unknown> => JSON.parse(await textOf(path)) as unknown;

  t.test('programs of every origin may read and keep the documents', async (t) => {
    for (const [path, type] of Object.entries(DOCUMENTS)) {
      const { status, headers } = await visitor.get(path, { accept: '*/*' });
      t.equal(status, 200, path);
      t.equal(headers['content-type'], type);
      t.equal(headers['access-control-allow-origin'], '*');
      t.equal(headers['cache-control'], 'public, max-age=300');
      t.notMatch(headers.vary ?? '', /Cookie|Accept\b(?!-)/, 'it is the same for everyone');
      const again = await visitor.get(path, { 'if-none-match': headers.etag ?? '' });
      t.equal(again.status, 304, path);
      t.equal(again.text, '');
    }
  });

  t.test('the sitemap, llms.txt and the navigation have the same pages', async (t) => {
    const urls = PUBLIC_PAGE_LIST.map(({ path }) => WEB_URL + path);
    t.same(
      [...(await textOf('/sitemap.xml')).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url),
      urls,
    );
    const [, pages = ''] = (await textOf('/llms.txt')).split(/^## .+$/m);
    t.same(
      [...pages.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, url]) => url),
      urls,
    );
    const { text } = await visitor.get('/');
    const menu = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => WEB_URL + href);
    for (const { path, menu: place } of PUBLIC_PAGE_LIST) if (place !== null) t.ok(menu.includes(WEB_URL + path), path);
  });

  t.test('llms-full.txt holds the pages whole', async (t) => {
    const full = await textOf('/llms-full.txt');
    for (const path of ['/', '/checks', '/standards', '/accuracy', '/about', '/privacy']) {
      t.ok(full.includes((await visitor.get(path, { accept: 'text/markdown' })).text), path);
    }
  });

  t.test('robots.txt lets everybody read what is public, and nobody crawl what is somebody’s own', async (t) => {
    const text = await textOf('/robots.txt');
    t.match(text, `Sitemap: ${WEB_URL}/sitemap.xml`);
    t.match(text, /^Content-Signal: search=yes, ai-input=yes, ai-train=no$/m);
    const groups = groupsFor(await parseRobots(text), 'OAI-SearchBot');
    const isOpen = (path: string): boolean => decide(groups, new URL(path, WEB_URL)).allowed;
    for (const path of [...PUBLIC_PAGE_LIST.map((page) => page.path), ...Object.keys(DOCUMENTS), ADDRESSES.openApi]) {
      t.ok(isOpen(path), path);
    }
    for (const path of ['/sites/site_x', '/keys', '/account', '/scan/example.com', '/sign-in/token']) {
      t.notOk(isOpen(path), path);
    }
  });

  t.test('the catalogs lead to the API and to the MCP server', async (t) => {
    t.same(await jsonOf('/.well-known/api-catalog'), {
      linkset: [
        {
          anchor: `${WEB_URL}/api/v1`,
          'service-desc': [{ href: `${WEB_URL}/api/v1/openapi.json`, type: 'application/json' }],
          'service-doc': [{ href: `${WEB_URL}/docs/api`, type: 'text/html' }],
          status: [{ href: `${WEB_URL}/status`, type: 'text/html' }],
        },
      ],
    });
    t.match(
      (await visitor.get('/.well-known/api-catalog')).headers.link,
      /<\/\.well-known\/api-catalog>; rel="api-catalog"/,
    );
    const catalog = { specVersion: '1.0', entries: [{ name: 'entry' }] };
    for (const path of ['/.well-known/ard.json', '/.well-known/ai-catalog.json']) t.match(await jsonOf(path), catalog);
    t.same(await jsonOf('/.well-known/mcp.json'), { name: 'manifest' });
    t.same(await jsonOf('/.well-known/mcp/server-card.json'), { name: 'card' });
    t.same(await jsonOf('/mcp/server-card'), { name: 'card' });
    t.same(await jsonOf('/mcp/server.json'), { name: 'registry entry' });
  });

  t.test('the index of skills has the digest of the skill that is served', async (t) => {
    const path = '/.well-known/agent-skills/index.json';
    const reading = await readSkillIndex(await textOf(path), new URL(path, WEB_URL));
    t.match(reading, { kind: 'read', problems: [], value: { schema: 'current' } });
    const file = reading.kind === 'read' ? reading.value.first : null;
    const skill = await textOf(file?.url.pathname ?? '');
    t.equal(createHash('sha256').update(skill).digest('hex'), file?.sha256);
    t.match(skill, /^---\nname: make-site-agent-ready\ndescription: \S[^\n]{0,1023}\n---\n\n# /);
    for (const part of ['`fix_plan`', '`verify_fix`', '`try_fix`', '`explain_check`', `${WEB_URL}/mcp`])
      t.ok(skill.includes(part), part);
  });

  t.test('security.txt leads to the operator, and does not go stale', async (t) => {
    const text = await textOf('/.well-known/security.txt');
    t.match(text, `Contact: ${WEB_URL}/about#contact\n`);
    t.match(text, `Canonical: ${WEB_URL}/.well-known/security.txt\n`);
  });
});

t.test('security.txt says until when it holds, for less than a year', async (t) => {
  const now = new Date('2026-11-21T14:37:00.000Z');
  const text = formatSecurityTxt({ publicUrl: WEB_URL, contact: 'mailto:ops@fixture-site.com', now });
  t.match(text, 'Contact: mailto:ops@fixture-site.com\n');
  const [, expires = ''] = /^Expires: (\d{4}-\d\d-\d\dT00:00:00Z)$/m.exec(text) ?? [];
  const days = (Date.parse(expires) - now.getTime()) / 86_400_000;
  t.ok(days > 30 && days < 365, `${days} days`);
});

onSqlite(async (t, engine) => {
  t.test('where the operator has a key and names addresses, both are published', async (t) => {
    const signer = new MessageSigner(SIGNING_KEY);
    const scanFromCidrs = ['192.0.2.0/28', '2001:db8::/32'];
    const web = await startWeb(t, await engine.openDb(t), { signer, scanFromCidrs });
    const visitor = web.newVisitor();
    const directory = await visitor.get(ADDRESSES.keyDirectory, { accept: '*/*' });
    t.equal(directory.headers['content-type'], 'application/http-message-signatures-directory+json');
    t.same(JSON.parse(directory.text), { keys: [signer.publicJwk] });
    t.notMatch(directory.text, '"d"', 'the private half is not');
    const digest = `sha-256=:${createHash('sha256').update(directory.text).digest('base64')}:`;
    t.equal(directory.headers['content-digest'], digest);
    const field = (name: string): string => String(directory.headers[name]);
    const [, parameters = ''] = /^binding=(.+)$/.exec(field('signature-input')) ?? [];
    t.match(parameters, /^\("@authority";req "content-digest"\);created=\d+;expires=\d+;keyid="[\w-]+"/);
    const authority = new URL(WEB_URL).host;
    const base = `"@authority";req: ${authority}\n"content-digest": ${digest}\n"@signature-params": ${parameters}`;
    const [, signature = ''] = /^binding=:(.+):$/.exec(field('signature')) ?? [];
    t.ok(verify(null, Buffer.from(base), createPublicKey(SIGNING_KEY), Buffer.from(signature, 'base64')));

    const addresses = await visitor.get(ADDRESSES.scannerAddresses, { accept: '*/*' });
    t.same(JSON.parse(addresses.text), {
      prefixes: [{ ipv4Prefix: '192.0.2.0/28' }, { ipv6Prefix: '2001:db8::/32' }],
    });
    const { text: about } = await visitor.get('/about', { accept: 'text/html' });
    for (const shown of [ADDRESSES.keyDirectory, ADDRESSES.scannerAddresses, ...scanFromCidrs]) t.match(about, shown);
  });

  t.test('else neither is there', async (t) => {
    const visitor = (await startWeb(t, await engine.openDb(t))).newVisitor();
    for (const path of [ADDRESSES.keyDirectory, ADDRESSES.scannerAddresses]) {
      t.equal((await visitor.get(path, { accept: '*/*' })).status, 404, path);
    }
    t.notMatch((await visitor.get('/about', { accept: 'text/html' })).text, 'Accept-Signature');
  });
});
