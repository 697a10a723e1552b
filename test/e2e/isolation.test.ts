/** ISO on the real stack: a tenant whose systems never answer fills the worker, and its neighbour goes on all the same. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createIntake } from '../../src/intake/intake.ts';
import type { LinkIds } from '../../src/ledger/ledger.ts';
import { TASK_QUEUES } from '../../temporal.config.ts';
import { type CrmUser, crmUser } from '../support/crm-user.ts';
import { simulatorAdmin } from '../support/simulator-admin.ts';
import { type Stack, startStack, until } from '../support/stack.ts';

const STUCK = 'stuck';
/** More than the worker has slots for on each of its queues, so that as many wait. */
const IN_CRM = 300;
const AT_VENDOR = 350;
/** Requests to vendors that wait for a slot: far more than come free while the neighbour's deal may take. */
const WAITING = 120;

let stack: Stack;
let user: CrmUser;
let [vendorHole, crmHole]: [Hole, Hole] = [] as never;

beforeAll(async () => {
  [vendorHole, crmHole] = [await dig(), await dig()];
  stack = await startStack({
    neighbour: (file) => ({
      ...file,
      tenant: STUCK,
      vendor: { ...file.vendor, baseUrl: vendorHole.url, ratePerSecond: 500 },
      salesforce: { ...file.salesforce, loginUrl: crmHole.url },
    }),
  });
  user = crmUser(stack.salesforce.url, stack.salesforce.user.accessToken);
  await Promise.all([stack.startWorker(), stack.startReceiver()]);
}, 120_000);

afterAll(async () => {
  await stack?.stop();
  await Promise.all([vendorHole?.close(), crmHole?.close()]);
});

it('lets a deal of its neighbour through while hundreds of its own hang', async () => {
  const at = new Date().toISOString();
  const { client, ledger } = stack;
  const intake = createIntake(client, ledger);
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(6, '0'));
  const keysOf = async (ids: readonly LinkIds[]): Promise<string[]> => {
    const links = await Promise.all(ids.map((id) => ledger.resolveLink(STUCK, id, at)));
    return links.map(({ link }) => link.key);
  };
  const inCrm = await keysOf(numbers(IN_CRM).map((n) => ({ crmId: `006000000${n}AAA` })));
  const atVendor = await keysOf(numbers(AT_VENDOR).map((n) => ({ vendorId: `LO-${n}` })));
  await Promise.all([intake.wake(STUCK, inCrm, 'crm'), intake.wake(STUCK, atVendor, 'vendor')]);
  await until(
    'both of its systems hang, and much waits behind',
    async () => crmHole.open() > 0 && (await backlog()) >= WAITING,
    90_000,
  );
  const vendor = simulatorAdmin(stack.vendor.adminUrl);
  await user.deal('Alpha');
  await until(
    'the deal is at the vendor',
    async () => (await vendor.records('leadOpportunity')).length === 1,
    20_000,
  );
  expect(vendorHole.open()).toBeGreaterThan(0);
});

/** Activities of the vendor queue that no worker has taken yet. */
async function backlog(): Promise<number> {
  const { stats } = await stack.client.workflowService.describeTaskQueue({
    namespace: 'default',
    taskQueue: { name: TASK_QUEUES.vendor },
    taskQueueType: 2,
    reportStats: true,
  });
  return Number(stats?.approximateBacklogCount ?? 0);
}

type Hole = {
  readonly url: string;
  open(): number;
  close(): Promise<unknown>;
};

/** A server that takes every request and answers none. */
async function dig(): Promise<Hole> {
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
