import { expect, it } from 'vitest';
import { Unanswered } from '../../../src/intake/single-run.ts';
import type { VendorKeyRow } from '../../../src/ledger/tenants/key-ledger.ts';
import {
  abortKey,
  confirmKey,
  type KeyPorts,
  keyStatus,
  rotateKey,
  setKey,
} from '../../../src/operator/tenants/keys.ts';
import type { RotationStatus } from '../../../workflows/messages.ts';

const NOW = '2027-01-04T08:00:00.000Z';
const KEY = 'k'.repeat(64);
const ROW: VendorKeyRow = {
  inUse: null,
  inUseHash: null,
  previous: null,
  waiting: { apiKey: KEY, hashedKey: 'hash' },
  askedAt: NOW,
  waitingSince: NOW,
  switchedAt: null,
  provenAt: null,
};
const BEGUN: RotationStatus = {
  phase: 'generating',
  hashedKey: null,
  lostAnswers: 0,
  reminders: 0,
  proofs: 0,
};

const REFUSED = { group: 'vendor-sales', reason: 'refused our key', since: NOW } as const;

/** A tenant whose rotation becomes, look by look, what this list says; the last one stays. */
function tenantWith(looks: readonly (Partial<RotationStatus> | null)[], isRunning = false, row = ROW) {
  const set: string[] = [];
  const signals: string[] = [];
  let look = -1;
  let pauses = 0;
  const ports: KeyPorts = {
    ledger: {
      vendorKeys: async () => row,
      setKey: async (_tenant, key) => void set.push(key),
      pauses: async () => [REFUSED, { ...REFUSED, group: 'salesforce' }],
    },
    rotation: {
      start: async () => !isRunning,
      status: async () => {
        look = Math.min(look + 1, looks.length - 1);
        const at = looks[look] ?? null;
        return at === null ? null : { ...BEGUN, isRunning: true, begunAt: NOW, ...at };
      },
      tell: async (_tenant, word) => {
        signals.push(`${word} after ${set.length} set`);
        return looks.some((at) => at !== null);
      },
    },
    pause: async () => {
      pauses += 1;
    },
  };
  return { ports, set, signals, pauses: () => pauses };
}

it('tells the hash, and never a key', async () => {
  const { ports, pauses } = tenantWith([null, {}, { phase: 'waiting', hashedKey: 'hash' }]);
  const status = await rotateKey(ports, 'acme');
  expect(status).toMatchObject({ inUse: 'tenant file', waiting: { hashedKey: 'hash', since: NOW } });
  expect(JSON.stringify(status)).not.toContain(KEY);
  expect(pauses()).toBe(2);
});

it('tells what of the vendor’s is paused, as where it refuses the key', async () => {
  const { ports } = tenantWith([null]);
  expect((await keyStatus(ports, 'acme')).paused).toEqual([REFUSED]);
});

it('refuses what is under way, or is not', async () => {
  await expect(rotateKey(tenantWith([{}], true).ports, 'acme')).rejects.toThrow(/is under way/);
  await expect(confirmKey(tenantWith([null]).ports, 'acme')).rejects.toThrow(/No rotation of acme/);
  await expect(abortKey(tenantWith([null]).ports, 'acme')).rejects.toThrow(/No rotation of acme/);
  await expect(setKey(tenantWith([{}]).ports, 'acme', KEY, NOW)).rejects.toThrow(/is under way/);
});

const WAITING = { phase: 'waiting', hashedKey: 'hash' } as const;
const ENDED = { phase: 'aborted', isRunning: false } as Partial<RotationStatus>;
const IN_USE: VendorKeyRow = { ...ROW, inUse: KEY, inUseHash: 'hash', waiting: null, waitingSince: null };

it('takes a key of a person’s while the new key of a rotation is in use, and then ends the rotation', async () => {
  const { ports, set, signals } = tenantWith([WAITING, WAITING, ENDED], true, IN_USE);
  const status = await setKey(ports, 'acme', KEY, NOW);
  expect([set, signals]).toEqual([[KEY], ['abort after 1 set']]);
  expect(status.rotation).toMatchObject(ENDED);
});

it.each([
  ['the vendor generates the new key', {}, IN_USE],
  ['the new key waits', WAITING, ROW],
] as const)('takes no key of a person’s while %s', async (_, rotation, row) => {
  const { ports, set, signals } = tenantWith([rotation], true, row);
  await expect(setKey(ports, 'acme', KEY, NOW)).rejects.toThrow(/is under way: .* lockstep keys abort acme/);
  expect([set, signals]).toEqual([[], []]);
});

it('signals no rotation that has ended, if a person sets a key', async () => {
  const { ports, set, signals } = tenantWith([ENDED]);
  await setKey(ports, 'acme', KEY, NOW);
  expect([set, signals]).toEqual([[KEY], []]);
});

it.each([
  ['waiting', ROW, WAITING],
  ['in use', IN_USE, WAITING],
  ['missing', { ...IN_USE, inUseHash: null }, WAITING],
  ['missing', { ...ROW, waiting: { apiKey: KEY, hashedKey: 'another' } }, WAITING],
  [null, IN_USE, {}],
  [null, IN_USE, { ...WAITING, ...ENDED }],
] as const)('shows the new key of a rotation as %s', async (rotationKey, row, rotation) => {
  expect(await keyStatus(tenantWith([rotation], true, row).ports, 'acme')).toMatchObject({ rotationKey });
});

it('waits for what comes of a confirmation, and no longer than a minute', async () => {
  const refused = { proofs: 2, proof: { sales: 'taken', order: 'refused' } } as const;
  const { ports } = tenantWith([{ proofs: 1 }, { proofs: 1 }, refused]);
  expect((await confirmKey(ports, 'acme')).rotation).toMatchObject(refused);
  const silent = tenantWith([{ proofs: 1 }]);
  await confirmKey(silent.ports, 'acme');
  expect(silent.pauses()).toBe(120);
});

it('takes a key of a person’s, and no text that cannot be one', async () => {
  const { ports, set } = tenantWith([null]);
  await setKey(ports, 'acme', KEY, NOW);
  expect(set).toEqual([KEY]);
  for (const text of ['', 'two words', 'two\nlines', 'k€y'])
    await expect(setKey(ports, 'acme', text, NOW), text).rejects.toThrow(/no key/);
  expect(await keyStatus(ports, 'acme')).toMatchObject({ rotation: null });
});

it.each([
  ['confirm', confirmKey],
  ['abort', abortKey],
] as const)('goes on to %s where the worker was killed, once another answers', async (_, order) => {
  const { ports } = tenantWith([{}, { proofs: 1, isRunning: false } as Partial<RotationStatus>]);
  let left = 3;
  const status: KeyPorts['rotation']['status'] = async (tenant) => {
    left -= 1;
    if (left >= 0) throw new Unanswered('nobody answers');
    return ports.rotation.status(tenant);
  };
  const result = await order({ ...ports, rotation: { ...ports.rotation, status } }, 'acme');
  expect(result.rotation?.proofs).toBe(1);
});

it('ends where no worker answers for a minute', async () => {
  const { ports } = tenantWith([{}]);
  let asked = 0;
  const status = async (): Promise<never> => {
    asked += 1;
    throw new Unanswered('nobody answers');
  };
  await expect(confirmKey({ ...ports, rotation: { ...ports.rotation, status } }, 'acme')).rejects.toThrow(Unanswered);
  expect(asked).toBe(12);
});
