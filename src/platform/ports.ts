import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/**
 * Default ports of Lockstep's processes: `webhooks` for webhooks, `webhookOps` for health and metrics of the webhook receiver, `worker` for
 * health and metrics of the worker, `console` for the console.
 */
export const OWN_PORTS = { webhooks: 4030, webhookOps: 4031, worker: 4040, console: 4050 } as const;

/** Default port of the MCP server over HTTP, which `npm start` does not start. */
export const MCP_PORT = 4060;

/**
 * The range from which free ports are chosen. It lies below the ports that the system gives to outgoing connections (Linux: from 32768;
 * other systems: from 49152), because such a connection could occupy a chosen port.
 */
const LISTENED_AT = { from: 20_000, to: 32_000 } as const;
const TRIED = 50;

/** Returns a free port, a different one at each call. */
export function freePort(): Promise<number> {
  const { from, to } = LISTENED_AT;
  return getPort({ host: '127.0.0.1', port: Array.from({ length: TRIED }, () => randomInt(from, to)) });
}
