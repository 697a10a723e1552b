import { afterAll, expect, it } from 'vitest';
import { addTenant, applyTenants } from '../../src/operator/tenants/apply-tenants.ts';
import { listTenants, pauseTenant, takeTenantOut } from '../../src/operator/tenants/tenant-state.ts';
import { type Declared, declareFile } from '../../src/platform/declared-tenant.ts';
import { openRoster } from '../../src/platform/live-roster.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import type { LoadOptions } from '../../src/platform/tenant-file.ts';
import { rosterOf } from '../../src/platform/tenant-roster.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { env, GOOD, tenantFolder } from '../support/stack/tenant-files.ts';
import { aReceiver, changedEvent, NOW, rememberingIntake, signed } from '../support/stack/webhooks.ts';

/** Two processes on one ledger, each with connections of its own, follow what an operator declares; one of them lacks a variable. */

const { ledger, open } = await withLedger();
const files = tenantFolder();
afterAll(() => files.remove());
const SECRETS = { folders: [], ownFiles: [], names: ['ACME_*'] };
const ALL: LoadOptions = { env, secrets: SECRETS };
const { ACME_VENDOR_KEY: _, ...lacking } = env;
const LACKS_ONE: LoadOptions = { env: lacking, secrets: SECRETS };
const now = (): string => new Date().toISOString();

async function aProcess(name: string, load: LoadOptions) {
  return openRoster({
    ...{ files: [], registry: await open(2), load, process: name, log: silentLogger, now },
  });
}

const first = await aProcess('worker 1', ALL);
const second = await aProcess('worker 2', LACKS_ONE);
const names = (process: typeof first) => process.tenants().map(({ tenant }) => tenant);
const look = () => Promise.all([first.refresh(), second.refresh()]);
const ports = { ledger, load: ALL, now, byFile: [] };
const NO_FILES = rosterOf([], [], ALL);
const statesOf = async () =>
  Object.fromEntries(
    (await listTenants(ledger, NO_FILES, { all: true, now: now() })).tenants.map((one) => [
      one.tenant,
      [one.state, ...one.unavailable.map(({ process }) => process)],
    ]),
  );

/** A declaration by references, or sealed; each tenant has webhook secrets of its own. */
function declared(tenant: string, { seal = false, every = '90s' } = {}): Declared {
  const text = GOOD.replace('tenant: acme', `tenant: ${tenant}`)
    .replace('90s', every)
    .replace('ACME_HOOK_PATH', `ACME_PATH_OF_${tenant}`)
    .replace('ACME_HOOK_KEY', `ACME_KEY_OF_${tenant}`);
  const own = {
    [`ACME_PATH_OF_${tenant}`]: `path-of-${tenant}`.padEnd(40, 'x'),
    [`ACME_KEY_OF_${tenant}`]: keyOf(tenant),
  };
  Object.assign(env, own);
  Object.assign(lacking, own);
  const result = declareFile(files.put(`${tenant}.yaml`, text), { ...ALL, seal });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result;
}

function keyOf(tenant: string): string {
  return `whsec_${Buffer.alloc(32, tenant).toString('base64')}`;
}

it('both serve what is sealed; what one cannot have, the other goes on with, and who cannot is reported', async () => {
  await addTenant(ports, declared('sealed', { seal: true }));
  await addTenant(ports, declared('referred'));
  await look();
  expect([names(first), names(second)]).toEqual([['sealed', 'referred'], ['sealed']]);
  expect(await statesOf()).toEqual({ sealed: ['active'], referred: ['unavailable', 'worker 2'] });

  const before = first.tenants()[0];
  await applyTenants(ports, [declared('referred', { seal: true })], { prune: false, yes: true });
  await look();
  expect([names(first), names(second)]).toEqual([
    ['sealed', 'referred'],
    ['sealed', 'referred'],
  ]);
  expect(await statesOf()).toEqual({ sealed: ['active'], referred: ['active'] });
  // A neighbour's change leaves a tenant as it is, connections and all.
  expect(first.tenants()[0]).toBe(before);
});

it('two operators who change one tenant at once: one is refused, and nothing is mixed', async () => {
  await addTenant(ports, declared('contested', { seal: true }));
  const orders = ['2m', '3m'].map((every) => declared('contested', { seal: true, every }));
  const outcomes = await Promise.allSettled(
    orders.map((order) => applyTenants(ports, [order], { prune: false, yes: true })),
  );
  await look();
  const [one, other] = [first, second].map((process) => process.tenants().find(({ tenant }) => tenant === 'contested'));
  expect(one?.vendor.poll).toEqual(other?.vendor.poll);
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  for (const reason of refused) expect(reason).toMatch(/Another operator has changed contested meanwhile/);
  const row = (await ledger.tenantsSince(0)).find(({ tenant }) => tenant === 'contested');
  expect(row?.version).toBe(1 + outcomes.length - refused.length);
});

it('a receiver takes the messages of a tenant that came, also while it is paused, and none of one that is gone', async () => {
  const memory = rememberingIntake();
  const receiver = await aReceiver({ intake: memory.intake, tenants: second.tenants });
  afterAll(() => receiver.close());
  const send = async (id: string): Promise<number> => {
    const headers = signed(changedEvent(), { id, key: keyOf('hooked'), at: NOW });
    return (await receiver.sendEvent(changedEvent(), headers, 'hooked')).status;
  };
  expect(await send('msg_before')).toBe(401);
  await addTenant(ports, declared('hooked', { seal: true }));
  await look();
  expect(await send('msg_there')).toBe(202);
  await pauseTenant(ledger, NO_FILES, 'hooked', now());
  await look();
  expect(await send('msg_paused')).toBe(202);
  expect((await ledger.pauses('hooked')).map(({ group }) => group)).toEqual(['by-hand']);
  await takeTenantOut(ledger, NO_FILES, 'hooked', now());
  await look();
  expect(await send('msg_after')).toBe(401);
  expect(memory.recorded.map(({ tenant }) => tenant)).toEqual(['hooked', 'hooked']);
  expect(await statesOf()).toMatchObject({ hooked: ['removed'], sealed: ['active'] });
});
