import { ADMIN_PREFIX } from '../core/admin.ts';
import { startServer } from '../core/server.ts';
import type { VendorSimulatorOptions } from './options.ts';
import { createVendorSimulator } from './simulator.ts';

export type RunningVendorSimulator = {
  /** Base address of the simulated API, without a trailing slash. */
  readonly url: string;
  /** Base address of the admin calls. */
  readonly adminUrl: string;
  readonly apiKey: string;
  readonly partnerId: string;
  /**
   * Answers a request to `url` without the network, for programs that run the simulator in their own process. Faults that cut a connection
   * need the network.
   */
  fetch(request: Request): Promise<Response>;
  /** Drops all connections at once and writes the state file. */
  close(): Promise<void>;
};

/**
 * Starts the vendor simulator on the loopback address: the sales operations under `/sales/api4partners`, the admin
 * surface under `/__admin`. Rejects with a sentence when the port is taken.
 */
export async function startVendorSimulator(options: VendorSimulatorOptions = {}): Promise<RunningVendorSimulator> {
  const simulator = createVendorSimulator(options);
  const server = await startServer(simulator.app, options.port ?? 0);
  return {
    url: server.url,
    adminUrl: `${server.url}${ADMIN_PREFIX}`,
    apiKey: simulator.apiKey,
    partnerId: simulator.partnerId,
    fetch: async (request) => simulator.app.fetch(request, {}),
    close: async () => {
      await server.close();
      await simulator.close();
    },
  };
}
