/**
 * Values that the record type of vendor-created deals does not offer are reported before a deal waits for them: the real engine on ledger
 * and simulators.
 */

import { elements, type SourceFiles } from 'lockstep-simulators/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkMapping } from '../../src/operator/mapping/check-mapping.ts';
import { readOrg } from '../../src/operator/status/org-watch.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import * as workflows from '../../workflows/index.ts';
import { type Deals, dealsOf } from '../support/engine/deals.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';
import { openWorld, type World } from '../support/engine/world.ts';

const value = (fullName: string): string => `<value>${elements({ fullName, default: false })}</value>`;
const offered = (fullName: string): string => `<values>${elements({ fullName, default: false })}</values>`;

/** A restricted picklist of the org's own; one record type offers two of its values. */
const ORG: SourceFiles = {
  'objects/Opportunity/fields/Our_Forecast__c.field-meta.xml': [
    'CustomField',
    `${elements({ fullName: 'Our_Forecast__c', label: 'Our forecast', type: 'Picklist' })}<valueSet><restricted>true</restricted><valueSetDefinition>${['SAFE', 'COMMIT', 'UPSIDE', 'WON', 'LOST', 'LONGSHOT'].map(value).join('')}</valueSetDefinition></valueSet>`,
  ],
  'objects/Opportunity/recordTypes/Vendor_Deal.recordType-meta.xml': [
    'RecordType',
    `${elements({ fullName: 'Vendor_Deal', active: true, label: 'Vendor deal' })}<picklistValues>${elements({ picklist: 'Our_Forecast__c' })}${offered('COMMIT')}${offered('UPSIDE')}</picklistValues>`,
  ],
  'permissionsets/Own.permissionset-meta.xml': [
    'PermissionSet',
    `${elements({ label: 'Own' })}<fieldPermissions>${elements({ editable: true, field: 'Opportunity.Our_Forecast__c', readable: true })}</fieldPermissions><recordTypeVisibilities>${elements({ recordType: 'Opportunity.Vendor_Deal', visible: true })}</recordTypeVisibilities>`,
  ],
};

const testBed = withTestBed(workflows, ORG);
let world: World;
let deals: Deals;

beforeEach(async () => {
  world = await openWorld(testBed(), {
    ...{ arrays: 'replace', seed: 1, prefer: 'crm' },
    mapping: { fields: { forecastCategory: { crm: 'Our_Forecast__c' } } },
  });
  deals = dealsOf(world);
});

afterEach(() => world.close());

function withRecordType(recordType: string | null): Tenant {
  return { ...world.runtime.tenant, imports: { owner: null, recordType } };
}

async function result(recordType: string | null): Promise<readonly string[]> {
  const file = () => ({ file: 'acme.yaml', line: 1 });
  const { problems } = await checkMapping(world.runtime, withRecordType(recordType), file);
  return problems.filter(({ what }) => what.includes('record type')).map(({ verdict, what }) => `${verdict} ${what}`);
}

it('a check tells it of the type of vendor-created deals, of another only for its own deals, and of one that is not there', async () => {
  const lacks = 'does not offer SAFE, WON, LOST, LONGSHOT of Our_Forecast__c';
  expect(await result('Vendor_Deal')).toEqual([
    expect.stringMatching(new RegExp(`^fails .*Vendor_Deal, which vendor-created deals get, ${lacks}`)),
  ]);
  expect(await result(null)).toEqual([expect.stringMatching(new RegExp(`^warns .*Vendor_Deal ${lacks}`))]);
  expect(await result('Nobody_Made_This')).toContainEqual(
    expect.stringMatching(/^fails the record type Nobody_Made_This of imports.recordType is not there/),
  );
});

it('the org’s watch tells it, and a deal of that type then waits with such a value', async () => {
  const runtime = world.runtime as { tenant: Tenant };
  runtime.tenant = withRecordType('Vendor_Deal');
  world.startStream('watchOrg');
  await deals.time(60_000);
  const { problems = [] } = (await readOrg(world.ledger, world.tenant)) ?? {};
  expect(problems.filter(({ verdict }) => verdict === 'fails')).toMatchObject([
    {
      what: expect.stringContaining('does not offer SAFE'),
      repair: expect.stringContaining('let Vendor_Deal'),
    },
  ]);

  const crmId = await deals.shared({ Our_Forecast__c: 'UPSIDE' });
  await deals.sweep();
  const [type] = await world.crm.list('RecordType');
  await world.crm.edit(crmId, { RecordTypeId: type?.['Id'] });
  const { vendorId } = await deals.link(crmId);
  await world.vendor.edit(String(vendorId), { forecastCategory: 'SAFE' });
  await deals.poll();
  expect((await deals.link(crmId)).issues).toMatchObject([{ code: 'crm-refused', field: 'forecastCategory' }]);
});
