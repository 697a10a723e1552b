import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CatalogBed, openCatalogBed } from '../support/catalog/catalog-bed.ts';

/** A refresh of the catalog while the vendor fails: for one list alone, or for everything. */

let bed: CatalogBed;
beforeAll(async () => {
  bed = await openCatalogBed();
  await bed.run();
  await bed.run('readVendorPortfolio');
});
afterAll(() => bed.close());

const fails = (fault: object): Promise<unknown> => bed.vendor.admin('POST', 'faults', fault);
const answers = (): Promise<unknown> => bed.vendor.admin('DELETE', 'faults');
const partsLeftOut = async (): Promise<readonly string[]> =>
  ((await bed.ledger.cursor(bed.tenant, 'refreshCatalog')) as { failed: readonly string[] }).failed;
const isActive = async (number: string): Promise<unknown> =>
  (await bed.one('Product2', `Vendor_Product_Number__c = '${number}'`, 'IsActive'))['IsActive'];

it.each([
  ['searchProductInformation', 504, ['information']],
  ['searchProductPrices', 423, ['prices 1']],
  ['searchPackageContent', 500, []],
] as const)(
  'goes on where a list of %s always answers %s, after many tries, and lets nothing leave',
  async (operation, status, failed) => {
    const [record] = await bed.records('product');
    await bed.remove(record?.id ?? '');
    await fails({ operation, status, times: 20 });
    bed.clock.ms += 60_000;
    let errors = 0;
    const run = () => bed.run().catch((error: unknown) => error);
    while ((await run()) instanceof Error) errors += 1;
    expect(errors).toBe(19);
    expect(await partsLeftOut()).toEqual(failed);
    expect(await isActive(record?.id ?? '')).toBe(operation === 'searchProductInformation');
    await bed.add('product', record?.fields ?? {});
    await bed.refresh();
    expect(await bed.differences()).toEqual([]);
  },
);

it('leaves out no list in an outage of the vendor, however often it is tried', async () => {
  bed.clock.ms += 60_000;
  for (let step = 0; step < 4; step += 1) await bed.step('readVendorCatalog');
  await fails({ status: 503 });
  for (let time = 0; time < 25; time += 1) await expect(bed.run()).rejects.toMatchObject({ kind: 'unavailable' });
  await answers();
  await bed.run();
  expect(await partsLeftOut()).toEqual([]);
  expect(await bed.differences()).toEqual([]);
});

it.each(['price-lists', 'accreditations'])(
  'stays at the stage %s, which others need, until the vendor answers',
  async (stage) => {
    const operation = stage === 'price-lists' ? 'searchPriceLists' : 'searchAccreditations';
    await fails({ operation, status: 500, times: 25 });
    bed.clock.ms += 60_000;
    for (let time = 0; time < 25; time += 1) await expect(bed.run()).rejects.toMatchObject({ kind: 'server' });
    await bed.run();
    expect(await bed.differences()).toEqual([]);
  },
);
