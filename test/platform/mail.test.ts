import type { SMTPServerOptions } from 'smtp-server';
import t, { type Test } from 'tap';
import { createMailer, type Mail, type MailFailure } from '../../src/platform/mail.js';
import { startMailServer } from '../support/mail-server.js';

const MAIL: Mail = {
  id: 'msg_aaaaaaaaaaaaaaaaaaaa',
  to: 'owner@example.com',
  subject: 'shop.example.com: a check newly fails',
  text: 'What changed:\n\n- C-LLMS-01 fails now.\n.\n– “ü”\n',
};

/** A mail server with a password, and senders to it. */
async function openMail(t: Test, options: SMTPServerOptions = {}) {
  const server = await startMailServer(t, {
    onAuth: ({ username, password }, _session, done) =>
      password === 'p/w' ? done(null, { user: username ?? '' }) : done(new Error('wrong password: p/w')),
    ...options,
  });
  const failures: MailFailure[] = [];
  const mailerAt = (url: string, from = { name: 'Agent “Readiness”', address: 'alerts@example.com' }) =>
    createMailer({ server: new URL(url), from, onFailure: (failure) => failures.push(failure) });
  return { ...server, failures, mailerAt };
}

t.test('a message is plain text, with an id of its own and a sender', async (t) => {
  const { received, mailerAt, port } = await openMail(t);
  const send = mailerAt(`smtp://me%40example.com:p%2Fw@127.0.0.1:${port}`);
  t.same(await Promise.all([send(MAIL), send(MAIL)]), ['sent', 'sent']);
  t.match(received[0], { from: 'alerts@example.com', to: ['owner@example.com'], user: 'me@example.com' });
  const ids = received.map(({ text }) => /^Message-ID: (.*)$/m.exec(text)?.[1]?.trim());
  t.same(ids, Array(2).fill('<msg_aaaaaaaaaaaaaaaaaaaa@example.com>'), 'a repeat can be recognised');
  const [head = '', body = ''] = (received[0]?.text ?? '').split('\r\n\r\n', 2);
  for (const field of [
    /^To: owner@example\.com\r?$/m,
    /^Subject: shop\.example\.com: a check newly fails\r?$/m,
    /^Content-Type: text\/plain; charset=utf-8\r?$/m,
    /^Auto-Submitted: auto-generated\r?$/m,
    /^From: .*<alerts@example\.com>\r?$/m,
  ]) {
    t.match(head, field);
  }
  t.notMatch(head, /^List-/m);
  t.match(body, /What changed:/);
});

t.test('an alert has List-Unsubscribe on one line, however long', async (t) => {
  const { received, mailerAt, port } = await openMail(t);
  const unsubscribeUrl = `https://readiness.test/${'a'.repeat(120)}/alerts`;
  await mailerAt(`smtp://127.0.0.1:${port}`)({ ...MAIL, unsubscribeUrl });
  t.ok(received[0]?.text.split('\r\n').includes(`List-Unsubscribe: <${unsubscribeUrl}>`));
});

t.test('no text can add a header field or a recipient', async (t) => {
  const { received, mailerAt, port } = await openMail(t);
  const send = mailerAt(`smtp://127.0.0.1:${port}`);
  const breaks = ['\r\n', '\n', '\r', '\u2028', '\u0085', '\0'];
  for (const line of breaks) {
    await send({ ...MAIL, subject: `x${line}Bcc: thief@example.com${line}${line}<b>body</b>` });
  }
  t.equal(received.length, breaks.length);
  for (const { to, text } of received) {
    t.same(to, ['owner@example.com']);
    t.notMatch(text.split('\r\n\r\n', 1)[0] ?? '', /^(Bcc|b>)/im);
  }
  for (const address of [
    'a@example.com, thief@example.com',
    'a@example.com\r\nRCPT TO:<thief@example.com>',
    '<thief@example.com>',
  ]) {
    await send({ ...MAIL, to: address });
  }
  t.ok(received.every(({ to }) => !to.includes('thief@example.com') || to.length === 1));
});

t.test('a permanent refusal is not retried, a temporary one is', async (t) => {
  const refusal = (responseCode: number) => Object.assign(new Error(`says ${responseCode}`), { responseCode });
  const refuse =
    (responseCode: number) =>
    (_: unknown, _session: unknown, done: (error: Error) => void): void =>
      done(refusal(responseCode));
  const onData: SMTPServerOptions['onData'] = (stream, _session, done) =>
    stream.resume().on('end', () => done(refusal(554)));
  const cases: [options: SMTPServerOptions, outcome: string, failure: object][] = [
    [{ onRcptTo: refuse(550) }, 'refused', { responseCode: 550 }],
    [{ onRcptTo: refuse(451) }, 'failed', { responseCode: 451 }],
    [{ onMailFrom: refuse(550) }, 'failed', { responseCode: 550 }],
    [{ onData }, 'failed', { responseCode: 554 }],
    [{ onConnect: (_session, done) => done(refusal(421)) }, 'failed', {}],
  ];
  for (const [options, outcome, failure] of cases) {
    const { failures, mailerAt, port } = await openMail(t, options);
    t.equal(await mailerAt(`smtp://127.0.0.1:${port}`)(MAIL), outcome);
    t.match(failures, [failure]);
  }
});

t.test('a failure contains neither password nor address', async (t) => {
  const { failures, mailerAt, port } = await openMail(t);
  t.equal(await mailerAt(`smtp://me:wrong-secret@127.0.0.1:${port}`)(MAIL), 'failed');
  t.match(failures, [{ code: 'EAUTH', responseCode: 535 }]);
  t.equal(await mailerAt('smtp://me:wrong-secret@127.0.0.1:9')(MAIL), 'failed');
  t.notMatch(JSON.stringify(failures), /secret|p\/w|example\.com/);
});

t.test('a password is sent only over TLS or to this machine', async (t) => {
  const { failures, mailerAt, port, received } = await openMail(t);
  // Another name of loopback, which is not a sign of it.
  const other = `[::ffff:127.0.0.1]:${port}`;
  t.equal(await mailerAt(`smtp://me:p%2Fw@${other}`)(MAIL), 'failed');
  t.match(failures, [{ code: 'ETLS' }]);
  t.equal(await mailerAt(`smtp://${other}`)(MAIL), 'sent', 'without a password it may be in clear');
  t.equal(received.length, 1);
});
