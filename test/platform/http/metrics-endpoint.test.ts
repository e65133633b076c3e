import t, { type Test } from 'tap';
import { createMetricsEndpoint } from '../../../src/platform/http/app.js';
import { createServer, Lifecycle } from '../../../src/platform/http/server.js';
import { createLogger } from '../../../src/platform/logging.js';
import { createMetrics } from '../../../src/wiring/metrics.js';
import { codeOf, type HttpRequest, send } from '../../support/http-client.js';

const TOKEN = 'a-token-of-the-operator';
const WITH_TOKEN = { Authorization: `Bearer ${TOKEN}` };

async function startEndpoint(t: Test) {
  const lines: string[] = [];
  const logger = createLogger('debug', { write: (line) => void lines.push(line) });
  const lifecycle = new Lifecycle();
  const metrics = createMetrics({ version: '1', role: 'all', isExposed: false });
  const endpoint = createMetricsEndpoint({ logger, lifecycle, observeRequest: metrics.observeRequest }, metrics, TOKEN);
  const server = createServer({ handle: endpoint.callback(), lifecycle, logger });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  return { lines, send: (path: string, request?: HttpRequest) => send(port, path, request) };
}

t.test('a request without the token gets a 401 with a challenge', async (t) => {
  const endpoint = await startEndpoint(t);
  const realm = 'Bearer realm="agent-readiness-metrics"';
  const wrongTokens = ['another-token', TOKEN.slice(0, -1), `${TOKEN}x`, `${TOKEN} ${TOKEN}`];
  const noTokens = ['', 'Bearer ', `Basic ${Buffer.from(`x:${TOKEN}`).toString('base64')}`, TOKEN];
  for (const Authorization of [...wrongTokens.map((token) => `Bearer ${token}`), ...noTokens]) {
    const answer = await endpoint.send('/metrics', { headers: Authorization ? { Authorization } : {} });
    t.equal(answer.status, 401, Authorization);
    t.equal(codeOf(answer), 'invalid_metrics_token', Authorization);
    const challenge = noTokens.includes(Authorization) ? realm : `${realm}, error="invalid_token"`;
    t.equal(answer.headers['www-authenticate'], challenge, Authorization);
    t.notMatch(answer.text, 'agent_readiness', Authorization);
  }
  const opened = await endpoint.send('/metrics', { headers: { Authorization: `bearer  ${TOKEN} ` } });
  t.equal(opened.status, 200, 'the scheme may be in lower case, with more white space');
  t.notMatch(endpoint.lines.join(''), TOKEN, 'the log does not repeat it');
});

t.test('the endpoint has one path, which is read-only', async (t) => {
  const endpoint = await startEndpoint(t);
  for (const path of ['/', '/metrics/', '/METRICS', '/metrics/x', '/healthz', '/api/v1/openapi.json', '*']) {
    const answer = await endpoint.send(path, { headers: WITH_TOKEN });
    t.equal(answer.status, 404, path);
    t.equal(codeOf(answer), 'not_found', path);
  }
  t.match(await endpoint.send('/metrics', { method: 'HEAD', headers: WITH_TOKEN }), { status: 200, text: '' });
  t.match(await endpoint.send('/metrics', { method: 'OPTIONS' }), { status: 204 });
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await endpoint.send('/metrics', { method });
    t.match(answer, { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } }, method);
  }
});
