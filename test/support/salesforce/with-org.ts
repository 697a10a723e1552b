import type { SalesforceSimulatorOptions } from 'lockstep-simulators';
import { afterAll } from 'vitest';
import { type SalesforceOrg, startSalesforceOrg } from './salesforce-org.ts';

/** An org for one test file, closed after its last test; call it once at the top. */
export async function withOrg(simulated: SalesforceSimulatorOptions = {}): Promise<SalesforceOrg> {
  const org = await startSalesforceOrg(simulated);
  afterAll(() => org.close());
  return org;
}
