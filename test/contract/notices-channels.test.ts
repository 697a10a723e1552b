import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, describe, expect, it } from 'vitest';
import { type Message, messageOf } from '../../src/domain/notices/message.ts';
import {
  type Channel,
  NoticesFileError,
  type NoticesSetup,
  readNoticesFile,
} from '../../src/notices/read-notices-file.ts';
import { sendMessage } from '../../src/notices/send.ts';
import { startReceiver } from '../support/notices/receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const AT = '2026-11-02T10:00:00.000Z';
const STATE = { cause: 'remote-down', subject: 'salesforce', since: AT, records: null, foundAt: AT } as const;
const MESSAGE: Message = messageOf(
  { kind: 'began', tenant: 'acme', channel: 'ops', way: 'now', state: STATE, at: AT, dueAt: AT },
  'https://lockstep.example.com',
);

/** A notices file in a folder of its own, with files of secrets. */
function setupOf(yaml: string, secrets: Readonly<Record<string, string>> = {}): NoticesSetup {
  const folder = temporaryFolder('notices');
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(folder, name), secret, { mode: 0o600 });
  const file = join(folder, 'notices.yaml');
  writeFileSync(file, yaml);
  const setup = readNoticesFile(file);
  if (setup === null) throw new Error('no setup');
  return setup;
}

function onlyChannel({ channels: [channel] }: NoticesSetup): Channel {
  if (channel === undefined) throw new Error('no channel');
  return channel;
}

type Mail = { readonly to: readonly string[]; readonly from: string; readonly text: string };

/** A mail server on loopback. `refuses`: the recipients that it refuses. */
async function startMailServer(refuses: readonly string[] = []) {
  const mails: Mail[] = [];
  const logins: string[] = [];
  const server = new SMTPServer({
    ...{ hideSTARTTLS: true, allowInsecureAuth: true, authOptional: true, logger: false },
    onAuth: (auth, _, done) => {
      logins.push(`${auth.username} ${auth.password}`);
      done(auth.password === 'mail secret' ? null : new Error('no'), { user: auth.username });
    },
    onRcptTo: ({ address }, _, done) =>
      done(refuses.includes(address) ? Object.assign(new Error('unknown'), { responseCode: 550 }) : null),
    onData: (stream, { envelope }, done) => {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      void text(stream).then((sent) => {
        // Lines that quoted-printable broke are whole again.
        const whole = sent.replaceAll('=\r\n', '');
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), from, text: whole });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  afterAll(() => server.close());
  return { mails, logins, port: (server.server.address() as AddressInfo).port };
}

function mailYaml(port: number, more = ''): string {
  return `channels:
  mail:
    type: email
    server: localhost
    port: ${port}
    tls: none
    private: true
    from: lockstep@example.com
    to: [ops@example.com, lead@example.com]
${more}`;
}

describe('an e-mail', () => {
  it('has a Message-ID that stays the same, a subject and a text', async () => {
    const { mails, logins, port } = await startMailServer();
    const yaml = mailYaml(port, '    user: lockstep\n    password: file:password\n');
    const channel = onlyChannel(setupOf(yaml, { password: 'mail secret\n' }));
    await sendMessage(channel, 'msg_1', MESSAGE);
    await sendMessage(channel, 'msg_1', MESSAGE);
    expect(logins).toEqual(['lockstep mail secret', 'lockstep mail secret']);
    expect(mails.map(({ from, to }) => [from, to])).toEqual(
      Array.from({ length: 2 }, () => ['lockstep@example.com', ['ops@example.com', 'lead@example.com']]),
    );
    for (const mail of mails) {
      expect(mail.text).toContain('Message-ID: <msg_1@example.com>');
      expect(mail.text).toContain('Subject: acme: remote-down (salesforce) begins');
      expect(mail.text).toContain('Auto-Submitted: auto-generated');
      expect(mail.text).toContain('Look: https://lockstep.example.com/tenants/acme');
    }
  });

  it('that one recipient gets is not sent again to him because another is refused', async () => {
    const { mails, port } = await startMailServer(['lead@example.com']);
    expect(await sendMessage(onlyChannel(setupOf(mailYaml(port))), 'msg_2', MESSAGE)).toBe('SOME_RECIPIENTS_REFUSED');
    expect(mails.map(({ to }) => to)).toEqual([['ops@example.com']]);
  });

  it('that the server refuses was not sent, and neither was one that needs TLS from a server without it', async () => {
    const { mails, port } = await startMailServer(['ops@example.com', 'lead@example.com']);
    const sent = sendMessage(onlyChannel(setupOf(mailYaml(port))), 'msg_3', MESSAGE);
    await expect(sent).rejects.toMatchObject({ code: 'SMTP_550' });
    const open = await startMailServer();
    const yaml = mailYaml(open.port).replace('tls: none', 'tls: starttls');
    await expect(sendMessage(onlyChannel(setupOf(yaml)), 'msg_4', MESSAGE)).rejects.toMatchObject({ name: 'NotSent' });
    expect([mails, open.mails]).toEqual([[], []]);
  });
});

describe('a webhook', () => {
  it('is signed by Standard Webhooks, with an id that stays the same', async () => {
    const { url, secret, got } = await startReceiver();
    const yaml = `channels: { ops: { type: webhook, address: '${url}', secret: file:secret, private: true } }`;
    const channel = onlyChannel(setupOf(yaml, { secret }));
    await sendMessage(channel, 'msg_5', MESSAGE);
    await sendMessage(channel, 'msg_5', MESSAGE);
    expect(got.map(({ id }) => id)).toEqual(['msg_5', 'msg_5']);
    expect(got[0]?.body).toEqual({
      type: 'lockstep.state.began',
      timestamp: AT,
      data: {
        ...{
          tenant: 'acme',
          cause: 'remote-down',
          subject: 'salesforce',
          severity: 'urgent',
          since: AT,
          records: null,
        },
        title: 'acme: remote-down (salesforce) begins',
        text: `Lockstep cannot use Salesforce, so the work that needs it is paused. No change is lost. Since ${AT}.`,
        ...{ items: [], look: 'https://lockstep.example.com/tenants/acme' },
      },
    });
  });

  it('that is answered with a failure or a redirect was not sent', async () => {
    const { url, secret, got } = await startReceiver((_, count) => (count === 0 ? 500 : 302));
    const yaml = `channels: { ops: { type: webhook, address: '${url}', secret: file:secret, private: true } }`;
    const channel = onlyChannel(setupOf(yaml, { secret }));
    await expect(sendMessage(channel, 'msg_6', MESSAGE)).rejects.toMatchObject({ code: 'HTTP_500' });
    await expect(sendMessage(channel, 'msg_6', MESSAGE)).rejects.toMatchObject({ code: 'HTTP_302' });
    expect(got).toHaveLength(2);
  });
});

describe('Slack and Teams', () => {
  it.each([
    ['slack', ['blocks', 0, 'text', 'text']],
    ['teams', ['attachments', 0, 'content', 'body', 0, 'text']],
  ])('get a body of %s’s form, at an address that is a secret', async (type, path) => {
    const bodies: unknown[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        bodies.push(JSON.parse(body));
        response.end('ok');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    afterAll(() => server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?sig=abc`;
    const yaml = `channels: { chat: { type: ${type}, address: file:address, private: true } }`;
    await sendMessage(onlyChannel(setupOf(yaml, { address })), 'msg_7', MESSAGE);
    const title = path.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], bodies[0]);
    expect(String(title).replaceAll('\\', '')).toBe('acme: remote-down (salesforce) begins');
  });
});

describe('a notices file', () => {
  const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
  const GOOD = `channels:
  ops:
    type: webhook
    address: https://hooks.example.com/lockstep
    secret: file:secret
    digest: { at: '08:00', zone: Europe/Berlin }
    quiet: { from: '20:00', to: '07:00', zone: Europe/Berlin, urgent: waits }
rules:
  - { causes: [drift], tenants: [acme], to: [ops], as: digest, settle: 5m }
settle: 2m
giveUpAfter: 1d
`;

  it('gives rules, quiet hours and digests', () => {
    const { rules, digests, giveUpMs, console } = setupOf(GOOD, { secret: SECRET });
    expect(rules).toMatchObject({
      settleMs: 120_000,
      channels: [{ name: 'ops', quiet: { from: 1_200, to: 420, zone: 'Europe/Berlin', isUrgentNow: false } }],
      rules: [{ causes: ['drift'], severities: null, tenants: ['acme'], to: ['ops'], as: 'digest', settleMs: 300_000 }],
    });
    expect([digests, giveUpMs, console]).toEqual([
      [{ channel: 'ops', time: { minute: 480, zone: 'Europe/Berlin' } }],
      86_400_000,
      null,
    ]);
  });

  it.each([
    ['a secret in the file itself', ['secret: file:secret', `secret: ${SECRET}`], 'secret must be file:PATH'],
    ['an unknown cause', ['[drift]', '[drifts]'], 'rules[0].causes[0]'],
    ['an unknown channel', ['to: [ops]', 'to: [oops]'], 'rules[0].to[0] must name a channel'],
    ['a digest that no channel has', ["    digest: { at: '08:00', zone: Europe/Berlin }\n", ''], 'needs a digest'],
    ['an unknown time zone', ["'08:00', zone: Europe/Berlin", "'08:00', zone: Mars/One"], 'must be a time zone'],
    ['http', ['https://hooks', 'http://hooks'], 'must start with https://'],
    ['an address with a password', ['https://hooks', 'https://me:word@hooks'], 'must not hold a user name'],
  ] as const)('with %s is refused with its line', (_, [from, to], message) => {
    expect(() => setupOf(GOOD.replace(from, to), { secret: SECRET })).toThrow(NoticesFileError);
    expect(() => setupOf(GOOD.replace(from, to), { secret: SECRET })).toThrow(message);
    expect(() => setupOf(GOOD.replace(from, to), { secret: SECRET })).not.toThrow(/whsec_[A-Za-z0-9]/);
  });

  it.each([
    ['a short signing secret', 'whsec_c2hvcnQ='],
    ['one without its prefix', 'c29tZXRoaW5nLXRoYXQtaXMtbG9uZy1lbm91Z2g='],
  ])('with %s is refused', (_, secret) => {
    expect(() => setupOf(GOOD, { secret })).toThrow('must be a file with whsec_');
  });

  it('whose secret others may read is refused', () => {
    const folder = temporaryFolder('notices');
    writeFileSync(join(folder, 'secret'), SECRET, { mode: 0o644 });
    writeFileSync(join(folder, 'notices.yaml'), GOOD);
    expect(() => readNoticesFile(join(folder, 'notices.yaml'))).toThrow('chmod 600');
  });
});
