import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { freePort } from '../../src/platform/ports.ts';
import type { ServerPorts } from './server-config.ts';

/**
 * The ports of a server's services, chosen at the first call and kept in `file`. A server that starts with other ports looks half a minute for
 * the members that its database still names.
 */
export async function keptPorts(file: string): Promise<ServerPorts> {
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await chosenPorts()));
  return JSON.parse(readFileSync(file, 'utf8')) as ServerPorts;
}

async function chosenPorts(): Promise<ServerPorts> {
  const two = async () => [await freePort(), await freePort()] as const;
  return { frontend: await two(), matching: await two(), history: await two(), worker: await two() };
}
