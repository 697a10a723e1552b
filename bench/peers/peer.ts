/**
 * A process that brings changes to the other side without Lockstep: `peer.ts script` with a plain script, `peer.ts workflows` with a plain
 * Temporal workflow for each change. Each message of the parent process is one run; the answer says that all of its writes are done.
 */
import { Client, Connection as TemporalConnection, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Connection } from 'jsforce';
import { createPartnerApi } from '../../src/partner-api/index.ts';
import {
  changedAtVendor,
  changedInCrm,
  type PlainScript,
  pullInBatches,
  pushInBatches,
  rowOf,
  together,
  update,
} from '../engine/plain-scripts.ts';
import type { Activities, Change } from './workflows.ts';

/** A run brings all changes of one side since an instant to the other. */
export type Run = { readonly direction: Change['direction']; readonly since: string };

/** Addresses and credentials, as JSON in the last argument. */
export type Remotes = {
  readonly vendorUrl: string;
  readonly apiKey: string;
  readonly partnerId: string;
  readonly crmUrl: string;
  readonly accessToken: string;
  readonly temporalAddress: string;
};

const QUEUE = 'bench-peers';

const [, , kind, text = '{}'] = process.argv;
const remotes = JSON.parse(text) as Remotes;
const script: PlainScript = {
  vendor: createPartnerApi({ salesBaseUrl: remotes.vendorUrl, apiKey: () => remotes.apiKey }),
  crm: new Connection({ instanceUrl: remotes.crmUrl, accessToken: remotes.accessToken, version: '67.0' }),
  partnerId: remotes.partnerId,
};

const execute = kind === 'script' ? byScript : await byWorkflows();
process.on('message', (run: Run) => void execute(run).then(() => process.send?.('done')));
process.once('disconnect', () => process.exit());
process.send?.('ready');

async function byScript({ direction, since }: Run): Promise<void> {
  await (direction === 'pull' ? pullInBatches : pushInBatches)(script, since);
}

async function byWorkflows(): Promise<typeof byScript> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const connection = await NativeConnection.connect({ address: remotes.temporalAddress });
  const client = new Client({ connection: await TemporalConnection.connect({ address: remotes.temporalAddress }) });
  const worker = await Worker.create({
    connection,
    taskQueue: QUEUE,
    workflowsPath: new URL('workflows.ts', import.meta.url).pathname,
    activities: activities(),
  });
  void worker.run();
  return async ({ direction, since }) => {
    const found = direction === 'pull' ? await changedAtVendor(script, since) : await changedInCrm(script, since);
    const ids = found.map((each) => (typeof each === 'string' ? each : String(each['Id'])));
    const started: WorkflowHandle[] = [];
    await together(ids, async (id) => {
      const workflowId = `bench/peers/${direction}/${since}/${id}`;
      started.push(await client.workflow.start('carry', { taskQueue: QUEUE, workflowId, args: [{ direction, id }] }));
    });
    await Promise.all(started.map((handle) => handle.result()));
  };
}

function activities(): Activities {
  return {
    read: async ({ direction, id }) =>
      direction === 'pull' ? rowOf(script, id) : script.crm.sobject('Opportunity').retrieve(id),
    write: async ({ direction, row }) => {
      if (direction === 'pull') await script.crm.sobject('Opportunity').upsert(row, 'Vendor_Id__c');
      else await update(script, row);
    },
  };
}
