import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CatalogBed, openCatalogBed } from '../support/catalog/catalog-bed.ts';

/** What the CRM shows of the catalog stays what the vendor shows, whatever users do to it. */

let bed: CatalogBed;
beforeAll(async () => {
  bed = await openCatalogBed();
  await bed.run();
  await bed.run('readVendorPortfolio');
  await check();
});
afterAll(() => bed.close());
const idOf = async (object: string, where: string): Promise<string> =>
  String((await bed.one(object, where, 'Id'))['Id']);
/** What others changed is looked for, and then refreshed. */
const check = async (): Promise<void> => {
  bed.clock.ms += 5_000;
  await bed.run('searchMirrorEdits');
  await bed.refresh();
  await bed.refresh('readVendorPortfolio');
};
const some = {
  product: ['Product2', 'Vendor_Product_Number__c != null AND IsActive = true', { Name: 'Edited' }],
  release: ['Vendor_Product_Release__c', 'Active__c = true', { Product_Name__c: 'Edited' }],
  'price list': ['Pricebook2', "Vendor_Price_List_Key__c = '1'", { Name: 'Edited' }],
  entry: ['PricebookEntry', "Pricebook2.Vendor_Price_List_Key__c = '1'", { UnitPrice: 1 }],
  'standard entry': ['PricebookEntry', "Vendor_Entry_Key__c LIKE 'standard/%'", { UnitPrice: 1 }],
  price: ['Vendor_Price__c', 'Active__c = true', { List_Price__c: 1 }],
  part: ['Vendor_Package_Component__c', 'Active__c = true', { Quantity__c: 77 }],
  accreditation: ['Vendor_Accreditation__c', 'Active__c = true', { Accreditation_Name__c: 'Edited' }],
  offer: ['Product2', 'Vendor_Portfolio_Item_Id__c != null', { Vendor_Portfolio_Level_1__c: 'Edited' }],
} as const;

it('a user who edits a row of any kind finds it put back', async () => {
  for (const [object, where, edit] of Object.values(some))
    await bed.org.update(object, await idOf(object, where), edit);
  const objects = (await bed.differences()).map((one) => one.split(' ')[0]);
  expect(new Set(objects)).toEqual(new Set(Object.values(some).map(([object]) => object)));
  await check();
  expect(await bed.differences()).toEqual([]);
});

it('a user who deletes a row finds it again', async () => {
  for (const kind of ['release', 'price', 'entry', 'part', 'accreditation'] as const) {
    const [object, where] = some[kind];
    await bed.org.remove(object, await idOf(object, where));
  }
  expect((await bed.differences()).length).toBeGreaterThanOrEqual(5);
  await check();
  expect(await bed.differences()).toEqual([]);
});

it('a user who deletes a product finds it again, with all that led to it', async () => {
  const [object, where] = some.product;
  const deleted = await bed.one(object, where, 'Id, Vendor_Product_Number__c');
  const number = String(deleted['Vendor_Product_Number__c']);
  await bed.org.remove(object, String(deleted['Id']));
  await check();
  expect(await bed.differences()).toEqual([]);
  const again = await idOf(object, `Vendor_Product_Number__c = '${number}'`);
  expect(again).not.toBe(deleted['Id']);
  const prices = await bed.org.query(`SELECT Product__c FROM Vendor_Price__c WHERE Product_Number__c = '${number}'`);
  expect(new Set(prices.map((row) => row['Product__c']))).toEqual(new Set([again]));
});

it('a user who ticks again what has left finds it unticked, and who deletes it has it gone', async () => {
  const [record] = await bed.records('product');
  const where = `Vendor_Product_Number__c = '${record?.id}'`;
  await bed.remove(record?.id ?? '');
  await bed.refresh();
  await bed.org.update('Product2', await idOf('Product2', where), { IsActive: true });
  await check();
  expect(await bed.one('Product2', where, 'IsActive')).toMatchObject({ IsActive: false });
  await bed.org.remove('Product2', await idOf('Product2', where));
  await check();
  expect(await bed.org.query(`SELECT Id FROM Product2 WHERE ${where}`)).toEqual([]);
  await bed.add('product', record?.fields ?? {});
  await check();
  expect(await bed.differences()).toEqual([]);
});

it('a user who edits fields of their own keeps them, and nothing is written once it is as it was', async () => {
  const id = await idOf(some.product[0], some.product[1]);
  await bed.org.update('Product2', id, { Description: 'Ours' });
  await check();
  const written = await bed.writes();
  await check();
  expect(await bed.writes()).toBe(written);
  expect(await bed.one('Product2', `Id = '${id}'`, 'Description')).toMatchObject({ Description: 'Ours' });
});
