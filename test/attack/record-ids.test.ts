import type { Client } from '@temporalio/client';
import { afterEach, describe, expect, test } from 'vitest';
import { runCli } from '../../playground/program.ts';
import { toId18 } from '../../src/domain/record/salesforce-id.ts';
import { createIntake, type IntakeLedger } from '../../src/intake/intake.ts';
import { fakeContext } from '../support/cli-context.ts';
import {
  aReceiver,
  changedEvent,
  notification,
  outboundMessage,
  rememberingIntake,
  signed,
} from '../support/stack/webhooks.ts';

/** An id that is not one opportunity's alone would open a second link for it, or one for what is no opportunity. */

const RIGHT = '006D000000CvZxyIAF';
const HOSTILE: readonly (readonly [string, string])[] = [
  ['another checksum', '006D000000CvZxyIAA'],
  ['a checksum of one letter too many', '006D000000CvZxyIA5'],
  ['a letter in another case', '006D000000CvZxYIAF'],
  ['a checksum that makes a digit a capital', '006000000000001BAA'],
  ['the prefix of an account', '001D000000CvZxyIAF'],
  ['the prefix of a user, in 15 characters', '005D000000CvZxy'],
  ['a prefix in letters', 'OO6D000000CvZxyIAF'],
  ['a blank within', '006D00000 CvZxyIAF'],
  ['a character too many', '006D000000CvZxyIAFA'],
  ['a reference', '@{account.id}'],
];

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function receiver() {
  const memory = rememberingIntake();
  const server = await aReceiver({ intake: memory.intake });
  running.push(server);
  return { server, recorded: memory.recorded };
}

/** An intake on a ledger that would take whatever it is given. */
function intake() {
  const taken: unknown[] = [];
  const ledger: Partial<IntakeLedger> = {
    markDue: async (_, ids) => {
      taken.push(...ids);
      return ['key'];
    },
    recordDeliveries: async (_, deliveries) => {
      taken.push(...deliveries);
      return deliveries.map(() => ({ fresh: true, keys: [] }));
    },
    forgetRefusals: async () => {},
    linkStatuses: async () => new Map(),
  };
  const client = { workflow: { signalWithStart: async () => {} } } as unknown as Client;
  return { intake: createIntake(client, ledger as IntakeLedger), taken };
}

describe.each(HOSTILE)('an opportunity id with %s', (_name, id) => {
  test('is refused in an outbound message', async () => {
    const { server, recorded } = await receiver();
    const answer = await server.send(outboundMessage({ notifications: [notification(1, { id })] }));
    expect([answer.status, recorded]).toEqual([400, []]);
  });

  test('is refused in a signed event', async () => {
    const { server, recorded } = await receiver();
    const body = changedEvent([RIGHT, id]);
    const answer = await server.sendEvent(body, signed(body));
    expect([answer.status, recorded]).toEqual([400, []]);
  });

  test('is refused by the intake, whoever leads it in', async () => {
    const { intake: way, taken } = intake();
    const delivery = { id: 'one', source: 'signed-event' as const, crmIds: [RIGHT, id] };
    await expect(way.recordDeliveries('acme', [delivery], 'now')).rejects.toThrow('no id of an opportunity or lead');
    await expect(way.requestSync('acme', { crmId: id }, 'now')).rejects.toThrow('no id of an opportunity or lead');
    expect(taken).toEqual([]);
  });
});

test.each(HOSTILE.filter(([, id]) => /^006\w{15}$/.test(id)))(
  'an opportunity id with %s is refused on the command line',
  async (_name, id) => {
    const { context, err } = fakeContext();
    expect(await runCli(['sync', id], context)).toBe(64);
    expect(err.join()).toContain('It is no id');
  },
);

test('the same opportunity has one id, however it is written', async () => {
  const { server, recorded } = await receiver();
  const forms = [RIGHT, RIGHT.slice(0, 15), RIGHT.toLowerCase(), RIGHT.toUpperCase(), `${RIGHT.slice(0, 15)}iaf`];
  const body = changedEvent(forms);
  expect((await server.sendEvent(body, signed(body))).status).toBe(202);
  expect(recorded.map(({ crmIds }) => crmIds)).toEqual([[RIGHT]]);
});

test.each([
  ['an action', { actionId: '005000000000001AAA' }],
  ['an organization', { organizationId: '005000000000001AAA' }],
])('an outbound message with the id of a user for %s is refused', async (_name, parts) => {
  const { server, recorded } = await receiver();
  const answer = await server.send(outboundMessage(parts));
  expect([answer.status, recorded]).toEqual([400, []]);
});

test('an outbound message whose notification has an id of something else is refused', async () => {
  const { server, recorded } = await receiver();
  const answer = await server.send(outboundMessage().replace(/04l/g, '005'));
  expect([answer.status, recorded]).toEqual([400, []]);
});

test('an id keeps its checksum', () => {
  expect(toId18(RIGHT)).toBe(RIGHT);
});
