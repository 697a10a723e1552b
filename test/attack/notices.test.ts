import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterAll, describe, expect, test } from 'vitest';
import { messageOf, testMessage } from '../../src/domain/notices/message.ts';
import type { Notice } from '../../src/domain/notices/notices-of.ts';
import { mailOf } from '../../src/notices/email.ts';
import type { ChannelSettings } from '../../src/notices/notices-file.ts';
import type { Channel } from '../../src/notices/read-notices-file.ts';
import { sendMessage } from '../../src/notices/send.ts';
import { slackBody } from '../../src/notices/slack.ts';
import { teamsBody } from '../../src/notices/teams.ts';
import { webhookBody } from '../../src/notices/webhook.ts';
import { watchStates } from '../../src/operator/notices/watch-states.ts';
import { generatedSecret } from '../../src/platform/secret.ts';
import { ISSUE, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { aTenant } from '../support/stack/webhooks.ts';

/** Operators' notices: what a hostile name, a hostile remote or a hostile address may not reach through them. */

const AT = '2026-11-02T10:00:00.000Z';
/** Texts that a channel might read as markup or as a header. No tenant may have such a name, and no code has one. */
const HOSTILE = [
  '<!channel> <https://evil.example|pay here>',
  '[pay here](https://evil.example) **now** {{DATE(2026)}}',
  'acme\r\nBcc: everybody@example.com\r\n\r\n<script>alert(1)</script>',
  'acme\u2028Bcc: everybody@example.com',
  '=?utf-8?q?acme=0D=0ABcc:_everybody@example.com?=',
];

function noticeOf(hostile: string): Notice {
  const state = { cause: 'records-wait', subject: hostile, since: AT, records: 3, foundAt: AT } as const;
  return { kind: 'began', tenant: hostile, channel: 'ops', way: 'now', state, at: AT, dueAt: AT };
}

const EMAIL = { type: 'email', from: 'lockstep@example.com', to: ['ops@example.com'] } as Extract<
  ChannelSettings,
  { type: 'email' }
>;

describe.each(HOSTILE)('a hostile name or code: %j', (hostile) => {
  const message = messageOf(noticeOf(hostile), null);

  test('reaches no channel as a code', () => {
    expect(message.subject).toBe('');
    expect(message.look).toBe(`lockstep inbox --code  --tenant ${hostile}`);
  });

  test('is no mention and no link in Slack', () => {
    const { text: shown, blocks } = JSON.parse(slackBody(message));
    expect(shown).not.toMatch(/<[!@#h]/);
    expect(blocks.flatMap((block: { text?: { type: string } }) => block.text?.type ?? [])).toEqual([
      'plain_text',
      'plain_text',
    ]);
  });

  test('is no link, emphasis or date in Teams', () => {
    const card = JSON.parse(teamsBody(message)).attachments[0].content;
    for (const { text: line } of card.body as { text: string }[]) {
      expect(line).not.toMatch(/(^|[^\\])\[[^\]\\]*\]\(/);
      expect(line).not.toMatch(/(^|[^\\])(\*\*|\{\{|<)/);
    }
    expect(card.actions).toBeUndefined();
  });

  test('is no header of an e-mail', async () => {
    const transport = createTransport({ streamTransport: true, buffer: true });
    const { message: mail, envelope } = await transport.sendMail(mailOf('msg_1', message, EMAIL));
    const [head = ''] = String(mail).split('\r\n\r\n');
    expect(envelope.to).toEqual(['ops@example.com']);
    expect(head.split('\r\n').filter((line) => /^bcc:/i.test(line))).toEqual([]);
  });
});

test('a tenant’s name cannot break out of the address of the console', () => {
  const { look } = messageOf(noticeOf('../../sign-out?x='), 'https://lockstep.example.com');
  expect(look).toBe('https://lockstep.example.com/tenants/..%2F..%2Fsign-out%3Fx%3D/inbox?code=');
});

describe('an address', () => {
  const message = testMessage('ops', AT, null);
  const webhook = (address: string, isPrivate = false): Channel => ({
    name: 'ops',
    settings: { type: 'webhook', address, secret: 'file:secret', private: isPrivate },
    secrets: { secret: generatedSecret(`whsec_${Buffer.alloc(32, 7).toString('base64')}`) },
  });
  const mail = (server: string): Channel => ({
    name: 'mail',
    settings: { ...EMAIL, server, port: 25, tls: 'none', private: false },
    secrets: {},
  });

  test.each([
    'http://127.0.0.1:9',
    'http://[::1]:9',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1',
    'http://localhost:9',
    'https://[::ffff:127.0.0.1]/',
  ])('that is private gets no packet: %s', async (address) => {
    await expect(sendMessage(webhook(address), 'msg_1', message)).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
  });

  test.each(['127.0.0.1', '::1', '10.0.0.1', 'localhost'])(
    'of a mail server that is private neither: %s',
    async (server) => {
      await expect(sendMessage(mail(server), 'msg_1', message)).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
    },
  );

  test.each(['slack', 'teams'] as const)('that %s’s secret names is not private either', async (type) => {
    const secrets = { address: generatedSecret('https://10.0.0.1/hook') };
    const channel: Channel = { name: 'chat', settings: { type, address: 'file:a', private: false }, secrets };
    await expect(sendMessage(channel, 'msg_1', message)).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
  });

  test('that redirects leads nowhere else, and its answer is neither kept nor shown', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      request.resume();
      response.writeHead(307, { location: '/elsewhere' }).end('a secret of the receiver');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    afterAll(() => server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const sent = sendMessage(webhook(address, true), 'msg_1', message);
    await expect(sent).rejects.toMatchObject({ message: 'HTTP_307' });
    expect(asked).toEqual(['/hook']);
  });
});

describe('a value of a field', () => {
  const CANARIES = ['Initech 4711', 'jane@initech.example', '123456.78'];

  test('or a remote’s text is in no notice, whatever the ledger holds', async () => {
    const { ledger, query } = await withLedger();
    const [deal, mail, amount] = CANARIES;
    await ledger.markDue('acme', [{ crmId: 'C1' }], AT);
    const issue = { ...ISSUE, message: `the value ${deal} of ${mail} is too long: ${amount}` };
    const planId = await savePlan(ledger, 'acme', 'C1');
    const parked = { at: AT, issues: [issue], state: 'parked', observedGeneration: 1 } as const;
    await ledger.settle('acme', 'C1', { ...parked, planId, outcome: 'applied' });
    await ledger.pause('acme', 'salesforce', `Salesforce said: ${deal} ${mail}`, AT);
    await ledger.settleRows(
      'acme',
      'pullOrders',
      { taken: [], refused: [{ id: 'O1', row: { Name: deal ?? '' }, reason: `REFUSED ${mail}` }] },
      AT,
    );
    await ledger.moveCursor('acme', { stream: 'pullOrders', position: {} }, AT);
    const watch = {
      ledger,
      rules: { channels: [{ name: 'ops', quiet: null }], rules: [], settleMs: 0 },
      ...{ digests: [], console: null, giveUpMs: 86_400_000 },
    };
    await watchStates(watch, [{ tenant: 'acme', served: aTenant({ tenant: 'acme' }) }], AT);
    const claimed = await ledger.claimMessages({ channels: ['ops'], at: AT, until: AT, limit: 100 });
    expect(claimed.map(({ message }) => message.cause).toSorted()).toEqual([
      'records-wait',
      'remote-down',
      'rows-refused',
    ]);
    const sent = claimed.flatMap(({ id, message }) => [
      ...[webhookBody(message), slackBody(message), teamsBody(message)],
      JSON.stringify(mailOf(id, message, EMAIL)),
    ]);
    const stored = [
      await query('select message::text from notice_messages'),
      await query('select * from notice_states'),
    ];
    for (const canary of CANARIES) expect(JSON.stringify([sent, stored])).not.toContain(canary);
  });
});
