/** The two simulators. Each is loaded when it is first started, so running one does not load the other. */
import type { SalesforceSimulator, SalesforceSimulatorOptions } from './salesforce/start.ts';
import type { VendorSimulatorOptions } from './vendor/options.ts';
import type { RunningVendorSimulator } from './vendor/start.ts';

export { DEFAULT_PORTS } from './core/default-ports.ts';
export type { TriggerCost } from './salesforce/org-limits/apex-triggers.ts';
export type { SalesforceSimulator, SalesforceSimulatorOptions } from './salesforce/start.ts';
export type { InitialKey, VendorSimulatorOptions } from './vendor/options.ts';
export type { RunningVendorSimulator } from './vendor/start.ts';

/**
 * Starts the vendor's API on the loopback address, with its admin surface under `/__admin`. Rejects with a sentence when the port is taken.
 */
export async function startVendorSimulator(options: VendorSimulatorOptions = {}): Promise<RunningVendorSimulator> {
  const { startVendorSimulator: start } = await import('./vendor/start.ts');
  return start(options);
}

/**
 * Starts a Salesforce org on the loopback address, with its admin surface under `/__admin`. Rejects with a sentence when the port is taken.
 */
export async function startSalesforceSimulator(options: SalesforceSimulatorOptions = {}): Promise<SalesforceSimulator> {
  const { startSalesforceSimulator: start } = await import('./salesforce/start.ts');
  return start(options);
}
