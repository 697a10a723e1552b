/** The workflows of the product, between them, ask the vendor everything that its documents show. On ledger and simulators. */
import { expect, it } from 'vitest';
import { workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';

const openWorld = withWorlds(workflows);

/** Every operation, in v1 where there is one. */
const OPERATIONS: readonly string[] = [
  ...['createLeadOpportunity v1', 'updateLeadOpportunity v1', 'readLeadOpportunity v1'],
  ...['searchLeadOpportunities v0', 'searchPortfolioItems v0', 'generateApiKey v0'],
  ...['searchOrders v1', 'readOrder v1', 'searchAccreditations v1', 'searchPriceLists v0'],
  ...['searchProductPrices v0', 'searchProductInformation v0', 'searchPackageContent v0'],
];

it('asks all thirteen operations, and none in a version that is deprecated', async () => {
  const { world, deals } = await openWorld();
  const { vendor, crm } = world;
  await vendor.create('accreditation', { id: 'PF1' });
  await vendor.create('priceList', { id: 1 });
  const part = { number: 'PART-1', portfolio: 'P', release: 'R2026x', quantity: 2 };
  await vendor.create('product', { number: 'PACK-1', type: 'P', content: { R2026x: [part] } });
  await vendor.create('portfolioItem', { salesPortfolioId: 'OFR-ONLY', salesPortfolioLevel3: 'Only' });
  await vendor.create('order', { transaction: { id: 'ORDER-1' } });
  const crmId = await deals.shared();
  expect(await settle(world)).toEqual([]);
  await crm.edit(crmId, { Name: 'Renamed' });
  await deals.sweep();
  expect(await settle(world)).toEqual([]);
  // It asks for a key, and waits for a person.
  world.scheduler.start(workflowIds.rotateApiKey(world.tenant), 'rotateApiKey', { tenant: world.tenant });
  for (let isMoving = true; isMoving; ) isMoving = await world.scheduler.step(world.clock.readMs());

  const labelled = (await vendor.requests()) as readonly { operation: string; label?: string | null }[];
  const asked = new Set(labelled.map(({ operation, label }) => `${operation} ${label}`));
  expect([...asked].sort()).toEqual(OPERATIONS.toSorted());
  const products = await crm.list('Product2');
  expect(products.map((row) => row['Vendor_Product_Number__c']).filter(Boolean)).toEqual(['PACK-1']);
  expect(products.filter((row) => row['Vendor_Offer_Id__c'] === 'OFR-ONLY')).toHaveLength(1);
  expect(await world.violations()).toEqual([]);
});
