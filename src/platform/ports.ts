import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/** Default ports of the connector's processes: webhooks, the receiver's health and metrics, the worker's. */
export const OWN_PORTS = { webhooks: 4030, webhookOps: 4031, worker: 4040 } as const;

/** Ports to choose from, below those of outgoing connections (Linux from 32768 on, others from 49152), which could occupy a chosen port. */
const LISTENED_AT = { from: 20_000, to: 32_000 } as const;
const TRIED = 50;

/** A free port, another one at each call. */
export function freePort(): Promise<number> {
  const { from, to } = LISTENED_AT;
  return getPort({ host: '127.0.0.1', port: Array.from({ length: TRIED }, () => randomInt(from, to)) });
}
