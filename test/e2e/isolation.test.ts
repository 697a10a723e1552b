/** ISO on the real stack: a tenant whose systems never answer fills the worker, and its neighbour goes on all the same. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { createIntake } from '../../src/intake/intake.ts';
import type { LinkIds } from '../../src/ledger/links/link-ledger.ts';
import { withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const STUCK = 'stuck';
/** More than the worker has slots for on each of its queues, so that as many wait. */
const IN_CRM = 300;
const AT_VENDOR = 350;
/** Records that are not done: more than the worker has slots for, on all of its queues. */
const WAITING = 400;

const [silentVendor, silentCrm] = [await startSilentServer(), await startSilentServer()];
const { stack, user, atVendor } = await withStack({
  neighbour: (file) => ({
    ...file,
    tenant: STUCK,
    vendor: { ...file.vendor, baseUrl: silentVendor.url, ratePerSecond: 500 },
    salesforce: { ...file.salesforce, loginUrl: silentCrm.url },
  }),
});

afterAll(() => Promise.all([silentVendor.close(), silentCrm.close()]));

it('lets a deal of its neighbour through while hundreds of its own hang', async () => {
  await wakeStuckRecords();
  await until(
    'both of its systems hang, and much waits behind',
    async () => silentCrm.open() > 0 && silentVendor.open() > 0 && (await unfinished()) >= WAITING,
    90_000,
  );

  const id = await user.deal('Alpha');

  await until('the deal is at the vendor', async () => (await atVendor(id)).length === 1, 20_000);
  expect(silentVendor.open()).toBeGreaterThan(0);
});

/** Wakes far more records of the stuck tenant than the worker has slots for: some to be read in the CRM, some at the vendor. */
async function wakeStuckRecords(): Promise<void> {
  const { client, ledger } = stack;
  const intake = createIntake(client, ledger);
  const at = new Date().toISOString();
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(6, '0'));
  const keysOf = async (ids: readonly LinkIds[]): Promise<string[]> => {
    const links = await Promise.all(ids.map((id) => ledger.resolveLink(STUCK, id, at)));
    return links.map(({ link }) => link.key);
  };
  const toCrm = await keysOf(numbers(IN_CRM).map((n) => ({ crmId: `006000000${n}AAA` })));
  const toVendor = await keysOf(numbers(AT_VENDOR).map((n) => ({ vendorId: `LO-${n}` })));
  await Promise.all([intake.wake(STUCK, toCrm, 'crm'), intake.wake(STUCK, toVendor, 'vendor')]);
}

/** Records of the stuck tenant whose work is under way, or waits for its share of the worker. */
async function unfinished(): Promise<number> {
  const query = `WorkflowType = 'syncOpportunity' AND ExecutionStatus = 'Running' AND LockstepTenant = '${STUCK}'`;
  return (await stack.client.workflow.count(query)).count;
}

type SilentServer = {
  readonly url: string;
  open(): number;
  close(): Promise<unknown>;
};

/** A server that takes every request and answers none. */
async function startSilentServer(): Promise<SilentServer> {
  let open = 0;
  const server: Server = createServer((request) => {
    open += 1;
    request.socket.once('close', () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    open: () => open,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
