import { expect, it } from 'vitest';
import { keysPage } from '../../../src/console/pages/keys.ts';
import type { KeyStatus } from '../../../src/operator/tenants/keys.ts';

const SINCE = '2026-03-01T12:00:00.000Z';
const ADMINISTRATOR = {
  identity: { user: 'ada', grants: [{ tenant: '*', role: 'administrator', values: false }] },
  ...{ csrf: 'a-token', sender: 'ada' },
} as unknown as Parameters<typeof keysPage>[1];

/** The names of the rotation's actions that the page of a tenant's key offers to an administrator. */
async function actionsOn(status: Partial<KeyStatus>): Promise<readonly string[]> {
  const none = { tenant: 'acme', inUse: 'ledger', switchedAt: null, provenAt: null, waiting: null } as const;
  const { body } = keysPage({ ...none, rotation: null, rotationKey: null, paused: [], ...status }, ADMINISTRATOR);
  return [...String(await body).matchAll(/action="\/actions\/([^"]+)"/g)].flatMap(([, name]) =>
    name === undefined || name === 'keys-set' ? [] : [name],
  );
}

const NEW = { waiting: { hashedKey: 'a-hash', since: SINCE } };
const RUNNING: Pick<KeyStatus, 'rotation'> = {
  rotation: {
    ...{ hashedKey: 'a-hash', lostAnswers: 0, reminders: 0, proofs: 0 },
    ...{ isRunning: true, begunAt: SINCE },
    phase: 'waiting',
  },
};

it.each<[string, Partial<KeyStatus>, readonly string[]]>([
  ['no rotation runs', {}, ['keys-rotate']],
  ['no rotation runs, but a new key waits, as after a restore', NEW, ['keys-rotate']],
  ['the new key waits', { ...NEW, ...RUNNING, rotationKey: 'waiting' }, ['keys-confirm', 'keys-abort']],
  ['the new key is in use', { ...RUNNING, rotationKey: 'in use' }, ['keys-confirm', 'keys-abort']],
])('offers the next steps of a rotation while %s', async (_, status, expected) => {
  expect(await actionsOn(status)).toEqual(expected);
});
