import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { CliContext } from '../../src/cli/context.ts';
import { DEFAULT_PORTS } from '../up/ports.ts';
import { parseOrders, parsePace, parseProducts, type Simulator, secretValue } from './flags.ts';

/** Flags of the vendor simulator. */
export type VendorFlags = {
  readonly port?: number;
  readonly state?: string;
  readonly seed?: string;
  readonly apiKey?: string;
  readonly keys?: string;
  readonly partnerId?: string;
  readonly strict?: true | 'v0' | 'v1';
  readonly patchArrays?: 'replace' | 'merge';
  readonly rotation?: 'replace' | 'overlap';
  readonly orders?: number;
  readonly products?: number;
  readonly pace?: number;
};

/** Adds the flags that only the vendor simulator has. */
export function addVendorFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--strict [version]',
        'vendor: refuse requests that the documents do not allow (see /__admin/violations); v0 accepts v0 paths that v1 replaces',
      ).choices(['v0', 'v1']),
    )
    .option('--api-key <key>', "vendor: the partner's API key")
    .option('--keys <file>', 'vendor: further keys, with their partner and scopes (YAML or JSON)')
    .option('--partner-id <id>', 'vendor: the partner of the key')
    .addOption(new Option('--patch-arrays <how>', 'vendor: what PATCH does with arrays').choices(['replace', 'merge']))
    .addOption(
      new Option('--rotation <how>', 'vendor: whether registering a new key ends the old one at that moment').choices([
        'replace',
        'overlap',
      ]),
    )
    .option('--orders <number>', 'vendor: the number of generated orders', parseOrders)
    .option('--products <number>', 'vendor: the number of products in its catalog', parseProducts)
    .option(
      '--pace <seconds>',
      'vendor: the seconds between two simulated events: order changes, new renewals, edits by vendor users',
      parsePace,
    );
}

/** Starts the vendor simulator with these flags. */
export async function startVendor(context: CliContext, flags: VendorFlags): Promise<Simulator> {
  const { startVendorSimulator } = await import('lockstep-simulators');
  const { readKeysFile } = await import('./keys-file.ts');
  const { port = DEFAULT_PORTS.vendor, apiKey: _apiKey, keys: file, pace: paceSeconds, ...rest } = flags;
  const apiKey = secretValue(context, flags.apiKey);
  const from = { env: context.env, baseDir: context.cwd };
  const simulator = await startVendorSimulator({
    ...rest,
    port,
    notify: context.tell,
    ...(paceSeconds !== undefined && { paceSeconds }),
    ...(apiKey !== undefined && { apiKey }),
    ...(file !== undefined && { keys: readKeysFile(resolve(context.cwd, file), from) }),
  });
  const info = { baseUrl: simulator.url, apiKey: simulator.apiKey, admin: simulator.adminUrl };
  return { url: simulator.url, info, close: () => simulator.close() };
}
