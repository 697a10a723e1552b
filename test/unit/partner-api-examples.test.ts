import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { type RunningVendorSimulator, startVendorSimulator } from 'lockstep-simulators';
import { violationsAt } from 'lockstep-simulators/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allExamples } from '../../scripts/package/examples.mjs';
import { createPartnerApi, foundIds, type PartnerApiOptions } from '../../src/partner-api/index.ts';

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

/** The examples of the page as JavaScript that can be given what it imports. */
function examples(): string {
  const program = allExamples(readFileSync(README, 'utf8')).replace(/^import .*$/gm, '');
  return stripTypeScriptTypes(`async () => {${program}}`).slice('async () => {'.length, -1);
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
  expect(printed).toContainEqual(['Newer plant', ['OFFER-1'], expect.any(Number)]);
  expect(printed.length).toBeGreaterThan(7);
  expect(await violationsAt(simulator.adminUrl)).toEqual([]);
});
