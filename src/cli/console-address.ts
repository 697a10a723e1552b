import type { ConsoleFile } from '../console/access/console-file.ts';
import { OWN_PORTS } from '../platform/ports.ts';
import type { CliContext } from './context.ts';
import { readEndpoints } from './running/endpoints.ts';

/**
 * The console's address without a trailing slash: the address in the console's configuration file, else the address that a running
 * `npm start` has stored, else the loopback address with the console's port.
 */
export function consoleAddress(context: CliContext, { address }: Pick<ConsoleFile, 'address'>): string {
  if (address !== undefined) return new URL(address).origin;
  const settings = context.settings();
  const running = readEndpoints(settings.home)?.console.baseUrl;
  return running ?? `http://127.0.0.1:${settings.consolePort ?? OWN_PORTS.console}`;
}
