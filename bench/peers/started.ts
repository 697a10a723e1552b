import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { until } from '../../test/support/until.ts';
import type { World } from '../engine/world.ts';
import type { Remotes, Run } from './peer.ts';

/** What brings changes to the other side, while it runs. */
export type Peer = {
  readonly pids: readonly number[];
  /** Brings all changes of one side since an instant to the other; may resolve before they have arrived. */
  carry(run: Run): Promise<void>;
  /** Waits for work that follows the arrival, such as reading back own writes. */
  finish(): Promise<void>;
  stop(): Promise<void>;
};

/** The peers by name. Each is started, measured and stopped in turn, so that none reacts to another's writes. */
export const PEERS: Readonly<Record<string, (world: World) => Promise<Peer>>> = {
  'a script': (world) => processOf(world, 'script'),
  'plain workflows': (world) => processOf(world, 'workflows'),
  Lockstep: lockstep,
};

const PROGRAM = join(import.meta.dirname, 'peer.ts');
const LIMIT_MS = 600_000;

async function processOf({ stack }: World, kind: 'script' | 'workflows'): Promise<Peer> {
  const { vendor, salesforce, temporal } = stack;
  const taken = await takeMessages(salesforce.adminUrl);
  const remotes: Remotes = {
    ...{ vendorUrl: vendor.url, apiKey: vendor.apiKey, partnerId: vendor.partnerId },
    ...{ crmUrl: salesforce.url, accessToken: salesforce.user.accessToken, temporalAddress: temporal.address },
  };
  const child = fork(PROGRAM, [kind, JSON.stringify(remotes)]);
  await answered(child);
  return {
    pids: [child.pid ?? 0],
    carry: async (run) => {
      child.send(run);
      await answered(child);
    },
    finish: async () => undefined,
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
      await taken.stop();
    },
  };
}

const ACK = `<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>
<notificationsResponse xmlns="http://soap.sforce.com/2005/09/outbound"><Ack>true</Ack></notificationsResponse>
</soapenv:Body></soapenv:Envelope>`;

/** Takes the org's Outbound Messages until `stop`. Otherwise the org would send them again later, while Lockstep is measured. */
async function takeMessages(adminUrl: string): Promise<{ stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'text/xml' }).end(ACK));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const address = `${adminUrl}/outbound`;
  const { url: receiver } = (await (await fetch(address)).json()) as { readonly url: string };
  const sendTo = async (url: string): Promise<void> => {
    await fetch(address, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ url }) },
    });
  };
  await sendTo(`http://127.0.0.1:${port}/`);
  return {
    stop: async () => {
      const waiting = async () => (await (await fetch(address)).json()) as { readonly pending: readonly unknown[] };
      await until('no message waits', async () => ((await waiting()).pending.length === 0 ? true : null), LIMIT_MS);
      await sendTo(receiver);
      server.close();
    },
  };
}

/** Waits for the process's next message; throws if it ends instead. */
async function answered(child: ChildProcess): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'exit', { signal }).then(([code]) =>
    Promise.reject(new Error(`a peer ended with ${code}`)),
  );
  try {
    await Promise.race([once(child, 'message', { signal }), ended]);
  } finally {
    ended.catch(() => undefined);
    over.abort();
  }
}

async function lockstep(world: World): Promise<Peer> {
  const { stack } = world;
  const [worker, receiver] = await Promise.all([stack.startWorker(), stack.startReceiver()]);
  const settle = async (): Promise<void> => {
    await world.sweep();
    await world.poll();
    await world.quiet(LIMIT_MS);
  };
  // What others wrote meanwhile is no part of the measured work.
  await settle();
  return {
    pids: [worker.pid, receiver.pid],
    // Outbound Messages report edits in the CRM.
    carry: async ({ direction }) => {
      if (direction === 'pull') await world.poll();
    },
    finish: settle,
    stop: async () => {
      await Promise.all([worker.end(), receiver.end()]);
    },
  };
}
