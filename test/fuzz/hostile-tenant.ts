import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createIntake } from '../../src/intake/intake.ts';
import { ORGANIZATION } from '../support/hostile/hostile-salesforce.ts';
import type { Stack, StackOptions } from '../support/stack/stack.ts';
import type { FromHostile, ToHostile } from './hostile-messages.ts';

const TENANT = 'hostile';
const PATH = 'hostile-path-0123456789abcdef0123456789abcdef';
const PROGRAM = join(import.meta.dirname, 'hostile-process.ts');
/** Records of each side that are looked at again and again. */
const RECORDS = 20;
const WAKE_EVERY_MS = 5_000;

/** A tenant both of whose remotes answer anything, and whose secret's holder floods the receiver, while it rages. */
export type HostileTenant = {
  /** What the stack has to be started with. */
  readonly options: Pick<StackOptions, 'neighbour' | 'env'>;
  /** Has it go on until the signal, whatever paused it meanwhile; then it rests. How much it did until now, in words. */
  rage(stack: Stack, signal: AbortSignal): Promise<string>;
  close(): void;
};

export async function createHostileTenant(seed: string): Promise<HostileTenant> {
  const child = fork(PROGRAM, [seed]);
  const heard = async (): Promise<FromHostile> => (await once(child, 'message'))[0];
  const { vendorUrl, orgUrl } = await heard();
  const tell = async (message: ToHostile): Promise<FromHostile> => {
    const answer = heard();
    child.send(message);
    return answer;
  };
  return {
    options: {
      neighbour: (file) => ({
        ...file,
        tenant: TENANT,
        vendor: { ...file.vendor, baseUrl: vendorUrl },
        salesforce: { ...file.salesforce, loginUrl: orgUrl, organizationId: ORGANIZATION },
        webhooks: { path: 'env:E2E_HOSTILE_PATH', keys: [] },
      }),
      env: { E2E_HOSTILE_PATH: PATH },
    },
    rage: async (stack, signal) => {
      await tell({ flood: `${stack.hooks}/hooks/salesforce/${PATH}` });
      await wakeRecords(stack, signal);
      const { answers, taken, refused } = await tell({ flood: null });
      await stack.ledger.pause(TENANT, 'whole-tenant', 'it rests', new Date().toISOString());
      return `${answers} answers; of its messages ${taken} taken, ${refused} put off`;
    },
    close: () => void child.kill(),
  };
}

/** Has records looked at, again and again; what paused the tenant is lifted, so that there is always something to answer. */
async function wakeRecords({ client, ledger }: Stack, signal: AbortSignal): Promise<void> {
  const intake = createIntake(client, ledger);
  const all = Array.from({ length: RECORDS }, (_, n) => String(n).padStart(6, '0'));
  const ids = all.flatMap((n) => [{ crmId: `006000000${n}AAA` }, { vendorId: `LO-${n}` }]);
  while (!signal.aborted) {
    const at = new Date().toISOString();
    for (const { group } of await ledger.pauses(TENANT)) await ledger.resume(TENANT, group, at);
    await intake.wake(TENANT, await ledger.markDue(TENANT, ids, at), 'any');
    await delay(WAKE_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
