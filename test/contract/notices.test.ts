import { describe, expect, it } from 'vitest';
import type { NoticeRules } from '../../src/domain/notices/rules.ts';
import { deliverDue } from '../../src/notices/deliver.ts';
import { NotSent } from '../../src/notices/not-sent.ts';
import { type Send, sendMessage } from '../../src/notices/send.ts';
import { makeDigests, type Watch, watchStates } from '../../src/operator/notices/watch-states.ts';
import { recordStatements } from '../support/ledger/explain.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { startReceiver, webhookChannel } from '../support/notices/receiver.ts';
import { aTenant } from '../support/stack/webhooks.ts';

const { ledger, newTenant, open, query, url } = await withLedger();
const receiver = await startReceiver();
const START_MS = Date.parse('2026-11-02T10:00:00Z');
const second = (n: number): string => new Date(START_MS + n * 1_000).toISOString();
const NEVER = new AbortController().signal;

/** One channel, which gets everything at once. Each test has a channel of its own, because deliveries are of all tenants. */
function watching(channel: string, rules: Partial<NoticeRules> = {}): Watch {
  return {
    ledger,
    rules: { channels: [{ name: channel, quiet: null }], rules: [], settleMs: 0, ...rules },
    digests: [{ channel, time: { minute: 8 * 60, zone: 'UTC' } }],
    ...{ console: null, giveUpMs: 3 * 86_400_000 },
  };
}

function watched(...names: readonly string[]) {
  return names.map((tenant) => ({ tenant, served: aTenant({ tenant }) }));
}

/** Sends what is due. `send` stands for the channel; by default the receiver of this file. */
function deliver(channel: string, at: string, send: Send = sendMessage, to = ledger) {
  const channels = [webhookChannel(channel, receiver)];
  return deliverDue({ ledger: to, channels, send, now: () => at, onFailure: () => undefined }, NEVER);
}

const gotOf = (tenant: string) => receiver.got.filter(({ body }) => body.data['tenant'] === tenant);
const statesOf = async (tenant: string) =>
  (await ledger.listNotices([tenant], 100)).messages.map(({ kind, state }) => `${kind} ${state}`);

describe('an outage', () => {
  it('of a thousand waiting records is one message when it begins and one when it ends', async () => {
    const [tenant, channel] = [newTenant(), 'outage'];
    const links = Array.from({ length: 1_000 }, (_, n) => ({ crmId: `C${n}` }));
    await ledger.markDue(tenant, links, second(0));
    await ledger.pause(tenant, 'salesforce', 'it said Acme, 1.000 EUR', second(2));
    const watch = watching(channel);
    for (let n = 3; n < 8; n += 1) await watchStates(watch, watched(tenant), second(n));
    await deliver(channel, second(9));
    await ledger.resume(tenant, 'salesforce', second(10));
    for (let n = 11; n < 15; n += 1) await watchStates(watch, watched(tenant), second(n));
    await deliver(channel, second(16));

    const messages = gotOf(tenant);
    expect(messages.map(({ body }) => body.type)).toEqual(['lockstep.state.began', 'lockstep.state.ended']);
    expect(JSON.stringify(messages)).not.toContain('Acme');
  });

  it('costs a few statements a look for any number of tenants, and writes nothing while nothing changes', async () => {
    const tenants = Array.from({ length: 30 }, () => newTenant());
    const watch = watching('idle');
    const count = async (names: readonly string[]): Promise<readonly string[]> => {
      const sent = recordStatements(url);
      const before = sent().length;
      await watchStates(watch, watched(...names), second(0));
      await makeDigests(watch, new Map([['idle', '2026-11-02']]), second(0));
      await deliver('idle', second(0));
      return sent()
        .slice(before)
        .map(({ text }) => text);
    };
    const [one, all] = [await count(tenants.slice(0, 1)), await count(tenants)];
    expect([one.length, all.length]).toEqual([11, 11]);
    expect(all.filter((text) => /^\s*(insert|delete)/i.test(text))).toEqual([]);
  });
});

function only(causes: NonNullable<NoticeRules['rules'][number]['causes']>): NoticeRules['rules'][number] {
  return { causes, severities: null, tenants: null, to: null, as: 'now', settleMs: null };
}

/** A tenant with a stored message that begins its outage. */
async function begun(channel: string): Promise<string> {
  const tenant = newTenant();
  await ledger.pause(tenant, 'salesforce', 'ECONNREFUSED', second(0));
  await watchStates(watching(channel), watched(tenant), second(1));
  return tenant;
}

async function ended(tenant: string, channel: string): Promise<void> {
  await ledger.resume(tenant, 'salesforce', second(2));
  await watchStates(watching(channel), watched(tenant), second(3));
}

describe('two processes', () => {
  it('that look at the same tenant store one message', async () => {
    const [tenant, other] = [newTenant(), await open(2)];
    await ledger.pause(tenant, 'salesforce', 'ECONNREFUSED', second(0));
    const looks = [ledger, other, ledger, other].map((own, n) =>
      watchStates({ ...watching('twice'), ledger: own }, watched(tenant), second(n)),
    );
    const stored = await Promise.all(looks);
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await statesOf(tenant)).toEqual(['began waits']);
  });

  it('of which one stalled after it read the states store nothing of the past', async () => {
    const [tenant, channel] = [newTenant(), 'stalled'];
    await ledger.pause(tenant, 'salesforce', 'ECONNREFUSED', second(0));
    let go = (): void => undefined;
    const stalled = new Promise<void>((resolve) => {
      go = resolve;
    });
    const slow: Watch['ledger'] = Object.assign(Object.create(ledger), {
      saveNoticeStates: async (...args: Parameters<typeof ledger.saveNoticeStates>) => {
        await stalled;
        return ledger.saveNoticeStates(...args);
      },
    });
    const late = watchStates({ ...watching(channel), ledger: slow }, watched(tenant), second(1));
    await watchStates(watching(channel), watched(tenant), second(2));
    await ended(tenant, channel);
    go();
    expect(await late).toBe(0);
    expect(await statesOf(tenant)).toEqual(['ended waits', 'began waits']);
  });

  it('that deliver at the same time send each message once', async () => {
    const channel = 'both';
    const tenants = [await begun(channel), await begun(channel), await begun(channel)];
    const other = await open(2);
    await Promise.all([deliver(channel, second(4)), deliver(channel, second(4), sendMessage, other)]);
    expect(tenants.map((tenant) => gotOf(tenant).length)).toEqual([1, 1, 1]);
  });
});

describe('a process that dies', () => {
  it('between sending and storing leaves the message to another one, with the same id', async () => {
    const tenant = await begun('killed');
    const dies: Send = async (...message) => {
      await sendMessage(...message);
      throw new Killed();
    };
    await deliver('killed', second(4), dies, deadAfterSending()).catch(() => undefined);
    expect(await deliver('killed', second(60))).toBe(0);
    expect(await deliver('killed', second(130))).toBe(1);
    expect(await deliver('killed', second(400))).toBe(0);
    const ids = gotOf(tenant).map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  it('before sending loses nothing', async () => {
    const tenant = await begun('silent');
    const dies: Send = () => Promise.reject(new Killed());
    await deliver('silent', second(4), dies, deadAfterSending()).catch(() => undefined);
    expect(await deliver('silent', second(130))).toBe(1);
    expect(gotOf(tenant)).toHaveLength(1);
  });

  it('and returns after its claim sends nothing any more', async () => {
    const tenant = await begun('returned');
    let at = second(4);
    const claimed: Parameters<typeof deliverDue>[0]['ledger'] = Object.assign(Object.create(ledger), {
      claimMessages: async (...args: Parameters<typeof ledger.claimMessages>) => {
        const found = await ledger.claimMessages(...args);
        at = second(300);
        return found;
      },
    });
    const channels = [webhookChannel('returned', receiver)];
    const of = { ledger: claimed, channels, send: sendMessage, now: () => at, onFailure: () => undefined };
    await deliverDue(of, NEVER);
    expect(gotOf(tenant)).toEqual([]);
  });
});

class Killed extends Error {}

/** A ledger of a process that ends before it stores how an attempt ended. */
function deadAfterSending(): typeof ledger {
  return Object.assign(Object.create(ledger), { settleMessage: () => Promise.reject(new Killed()) });
}

describe('a channel that fails', () => {
  const fails: Send = () => Promise.reject(new NotSent('HTTP_503'));

  it('is tried at growing intervals, and its end waits for its begin', async () => {
    const tenant = await begun('failing');
    await ended(tenant, 'failing');
    await deliver('failing', second(4), fails);
    expect(await statesOf(tenant)).toEqual(['ended waits', 'began waits']);
    expect(await deliver('failing', second(10))).toBe(0);
    expect(await deliver('failing', second(40))).toBe(2);
    expect(gotOf(tenant).map(({ body }) => body.type)).toEqual(['lockstep.state.began', 'lockstep.state.ended']);
  });

  it('is given up after the time of the file, which the status shows', async () => {
    const tenant = await begun('gone');
    await deliver('gone', second(4), fails);
    const [waiting] = (await ledger.undeliveredOf([tenant], second(5))).get(tenant) ?? [];
    expect(waiting).toMatchObject({ channel: 'gone', waiting: 1, givenUp: 0, error: 'HTTP_503' });
    await deliver('gone', second(3 * 86_400 + 10));
    const [givenUp] = (await ledger.undeliveredOf([tenant], second(3 * 86_400 + 10))).get(tenant) ?? [];
    expect(givenUp).toMatchObject({ channel: 'gone', waiting: 0, givenUp: 1, error: 'HTTP_503' });
    expect(gotOf(tenant)).toEqual([]);
  });

  it('does not delay the others', async () => {
    const tenant = await begun('slow');
    const other = newTenant();
    await ledger.pause(other, 'salesforce', 'ECONNREFUSED', second(0));
    await watchStates(watching('good'), watched(other), second(1));
    await deliver('slow', second(4), fails);
    await deliver('good', second(4));
    expect([gotOf(tenant).length, gotOf(other).length]).toEqual([0, 1]);
  });
});

describe('a daily digest', () => {
  it('is made once a day by whichever process is first, with each change once and what is open', async () => {
    const [tenant, channel] = [newTenant(), 'digest'];
    const watch = watching(channel, { rules: [{ ...only(['remote-down']), as: 'digest' }] });
    await ledger.pause(tenant, 'salesforce', 'ECONNREFUSED', second(0));
    await watchStates(watch, watched(tenant), second(1));
    expect(await deliver(channel, second(2))).toBe(0);
    const others = [watch, { ...watch, ledger: await open(2) }];
    await Promise.all(others.map((one) => makeDigests(one, new Map(), second(3))));
    await deliver(channel, second(4));
    const digests = () => receiver.got.filter(({ body }) => body.type === 'lockstep.digest');
    expect(digests().map(({ body }) => (body.data['items'] as string[]).length)).toEqual([2]);
    // The next day nothing has changed, and the state is still open.
    await makeDigests(watch, new Map(), second(86_400));
    await deliver(channel, second(86_401));
    expect(digests().map(({ body }) => (body.data['items'] as string[]).length)).toEqual([2, 1]);
  });
});

it('an erased tenant leaves nothing', async () => {
  const tenant = await begun('erased');
  await ledger.declareTenant(tenant, { content: {}, mapping: null, secrets: {} }, null, second(5));
  await ledger.removeTenant(tenant, 1, second(6));
  await ledger.eraseTenant(tenant);
  for (const table of ['notice_generations', 'notice_states', 'notice_messages'])
    expect(await query(`select from ${table} where tenant = $1`, [tenant])).toEqual([]);
});
