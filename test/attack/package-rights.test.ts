/** What users of the CRM may do and read by the rights of the package: the real engine on ledger and simulators. */
import { describe, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { elements, packageFiles, values } from '../support/crm-package.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openDeal = withDeal(workflows);
const files = packageFiles();

describe('a user who may only read an opportunity', () => {
  it.each<[string, string, object]>([
    ['decide its conflicts', 'INSUFFICIENT_ACCESS_OR_READONLY', { Resolve__c: "Take the vendor's" }],
    ['write another value into its sync row', 'INSUFFICIENT_ACCESS_OR_READONLY', { Message__c: 'x' }],
  ])('cannot %s', async (_, code, fields) => {
    const { world, deals, crmId } = await openDeal();
    const row = String((await deals.syncRow(crmId))?.['id']);
    await world.crm.access({ user: 'integration', record: crmId, access: 'read' });
    expect(await world.patchAsIntegrationUser(`Lockstep_Sync__c/${row}`, fields)).toMatchObject({
      status: 403,
      body: [{ errorCode: code }],
    });
  });
});

it('nobody gives a sync row another opportunity', async () => {
  const { world, deals, crmId } = await openDeal();
  const row = String((await deals.syncRow(crmId))?.['id']);
  const other = await deals.opportunity(await deals.account());
  const moved = await world.patchAsIntegrationUser(`Lockstep_Sync__c/${row}`, { Opportunity__c: other });
  expect(moved).toMatchObject({ status: 400, body: [{ errorCode: 'INVALID_FIELD_FOR_INSERT_UPDATE' }] });
  expect(await deals.syncRow(crmId)).toMatchObject({ id: row });
});

it('the message of a sync row names the fields of conflicts, and its values are in a field of their own', async () => {
  const { world, deals, crmId } = await openDeal({ rules: { description: 'manual' } });
  const lead = await deals.leadNamed(crmId);
  await world.vendor.fault({ status: 503 });
  await world.crm.edit(crmId, { Description: 'Ours alone', Vendor_Next_Milestone__c: 'Our milestone' });
  await world.vendor.edit(String(lead?.['id']), {
    description: 'Theirs alone',
    nextMilestone: 'Their milestone',
  });
  await world.vendor.clearFaults();
  await deals.sweep();
  await deals.poll();
  const row = await deals.syncRow(crmId);
  const message = String(row?.['Message__c']);
  expect(row?.['Field_States__c']).toContain('"is":"conflict"');
  for (const named of ['description', 'Overruled: ']) expect(message).toContain(named);
  for (const value of ['Ours alone', 'Theirs alone', 'Our milestone', 'Their milestone']) {
    expect(message).not.toContain(value);
    expect(row?.['Field_States__c']).not.toContain(value);
    for (const field of ['Conflict_Values__c', 'Field_Values__c']) expect(row?.[field]).toContain(value);
  }
});

describe('the package', () => {
  const path = (file: string) => `objects/${file}.field-meta.xml`;
  const masters = Object.entries(files).filter(([, xml]) => values(xml, 'type').includes('MasterDetail'));

  /** Objects whose rows a permission set for people lets them change. */
  const ofPeople = new Set(
    Object.entries(files)
      .filter(([file]) => file.startsWith('permissionsets/') && !file.includes('Lockstep_Integration'))
      .flatMap(([, xml]) => elements(xml, 'objectPermissions'))
      .filter((one) => values(one, 'allowEdit')[0] === 'true')
      .flatMap((one) => values(one, 'object')),
  );

  it('has no detail whose rows those may write who may only read its master, or that people may move', () => {
    expect(masters.map(([file]) => file)).toContain(path('Lockstep_Sync__c/fields/Opportunity__c'));
    expect([...ofPeople]).toContain('Lockstep_Sync__c');
    for (const [file, xml] of masters) {
      const mayMove = ofPeople.has(file.split('/')[1] ?? '') ? ['false'] : ['false', 'true'];
      expect({ file, write: values(xml, 'writeRequiresMasterRead') }).toEqual({ file, write: ['false'] });
      expect({ file, moves: mayMove }).toEqual({
        file,
        moves: expect.arrayContaining(values(xml, 'reparentableMasterDetail')),
      });
    }
  });

  it.each(['Conflict_Values__c', 'Field_Values__c', 'Vendor_Filled__c'])(
    'lets only those read %s who may see every value',
    (field) => {
      const readers = Object.entries(files).flatMap(([file, xml]) =>
        elements(xml, 'fieldPermissions').some((one) => values(one, 'field')[0] === `Lockstep_Sync__c.${field}`)
          ? [/(\w+)\.permissionset/.exec(file)?.[1]]
          : [],
      );
      expect(readers.sort()).toEqual(['Lockstep_Integration', 'Lockstep_See_Values']);
    },
  );
});
