import t from 'tap';
import { componentId, MessageSigner } from '../../../src/scanner/artifacts/message-signer.js';
import { SIGNING_KEY, SIGNING_KEY_ID } from '../../support/signing-key.js';

const signer = new MessageSigner(SIGNING_KEY);

const covered = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ id: componentId(name), value }));

t.test('the key is named by its thumbprint, and only its public half is shown', async (t) => {
  t.same(signer.publicJwk, {
    kty: 'OKP',
    crv: 'Ed25519',
    kid: SIGNING_KEY_ID,
    x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
    use: 'sig',
  });
});

t.test('RFC 9421, appendix B.2.6: a request', async (t) => {
  const components = covered({
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    '@method': 'POST',
    '@path': '/foo',
    '@authority': 'example.com',
    'content-type': 'application/json',
    'content-length': '18',
  });
  const parameters = new Map<string, string | number>([
    ['created', 1618884473],
    ['keyid', 'test-key-ed25519'],
  ]);
  t.same(signer.sign('sig-b26', components, parameters), {
    'signature-input':
      'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    signature: 'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
  });
});

t.test('draft-ietf-webbotauth-httpsig-protocol: a request with Signature-Agent', async (t) => {
  const components = [
    ...covered({ '@authority': 'example.com' }),
    { id: componentId('signature-agent', { key: 'agent2' }), value: '"https://signature-agent.test"' },
  ];
  const nonce = 'n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==';
  const parameters = new Map<string, string | number>([
    ['created', 1735689600],
    ['keyid', SIGNING_KEY_ID],
    ['alg', 'ed25519'],
    ['expires', 4889289600],
    ['nonce', nonce],
    ['tag', 'web-bot-auth'],
  ]);
  const { 'signature-input': input, signature } = signer.sign('sig2', components, parameters);
  t.equal(
    input,
    `sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="${SIGNING_KEY_ID}";alg="ed25519";expires=4889289600;nonce="${nonce}";tag="web-bot-auth"`,
  );
  t.equal(signature, 'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:');
});

t.test('the same draft: a key directory', async (t) => {
  const components = [
    { id: componentId('@authority', { req: true }), value: 'signature-agent.test' },
    ...covered({ 'content-digest': 'sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:' }),
  ];
  const parameters = new Map<string, string | number>([
    ['created', 1735689600],
    ['expires', 4889289600],
    ['keyid', SIGNING_KEY_ID],
    ['tag', 'http-message-signatures-directory'],
  ]);
  t.equal(
    signer.sign('binding', components, parameters).signature,
    'binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:',
  );
});
