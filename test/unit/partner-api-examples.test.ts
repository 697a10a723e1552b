import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPartnerApi, foundIds, type PartnerApiOptions } from '../../src/partner-api/index.ts';
import { type RunningVendorSimulator, startVendorSimulator } from '../../src/simulators/vendor/start.ts';
import { violationsAt } from '../support/simulators/violations.ts';

const README = new URL('../../src/partner-api/README.md', import.meta.url);
const OPERATIONS = [
  'createLeadOpportunity',
  'updateLeadOpportunity',
  'readLeadOpportunity',
  'searchLeadOpportunities',
  'searchPortfolioItems',
  'generateApiKey',
  'searchOrders',
  'readOrder',
  'searchPriceLists',
  'searchAccreditations',
  'searchProductPrices',
  'searchProductInformation',
  'searchPackageContent',
];

let simulator: RunningVendorSimulator;
beforeAll(async () => {
  simulator = await startVendorSimulator({ orders: 20, strict: true });
});
afterAll(() => simulator.close());

/** The examples in the order in which the page shows them, as one program without its imports. */
function examples(): string {
  const blocks = readFileSync(README, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
  return [...blocks].map(([, code]) => code?.replace(/^import .*$/gm, '')).join('\n');
}

it('the README has an example per operation, and all of them run against the vendor simulator', async () => {
  const called: string[] = [];
  const printed: unknown[][] = [];
  const connect = (options: PartnerApiOptions) => {
    const api = createPartnerApi(options);
    return new Proxy(api, {
      get: (target, name: keyof typeof api) => {
        called.push(name);
        return target[name];
      },
    });
  };
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  const run = new AsyncFunction('createPartnerApi', 'process', 'foundIds', 'console', examples());
  const env = { VENDOR_URL: simulator.url, VENDOR_API_KEY: simulator.apiKey };
  await run(connect, { env }, foundIds, { log: (...values: unknown[]) => printed.push(values) });
  expect(called).toEqual(expect.arrayContaining(OPERATIONS));
  expect(printed).toContainEqual(['Newer plant', expect.any(Number)]);
  expect(printed.length).toBeGreaterThan(7);
  expect(await violationsAt(simulator.adminUrl)).toEqual([]);
});
