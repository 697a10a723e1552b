import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FlowDef, starts } from '../../src/salesforce/outbound/flow.ts';
import { readFlows } from '../../src/salesforce/outbound/read-flows.ts';
import { readPackage } from '../../src/salesforce/schema/package.ts';
import type { Row } from '../../src/salesforce/store/row.ts';
import { LEADS_DIR, PACKAGE_DIR } from '../support/salesforce-simulator.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const shared: Row = { Vendor_Share__c: true, Amount: 5, Name: 'Deal' };
const unshared: Row = { ...shared, Vendor_Share__c: false };

type Condition = FlowDef['conditions'][number];

function flow(conditions: readonly Condition[], extra: Partial<FlowDef> = {}): FlowDef {
  return {
    name: 'A_Flow',
    object: 'Opportunity',
    on: ['insert', 'update'],
    logic: 'and',
    conditions,
    onlyWhenNewlyMet: false,
    message: 'Opportunity.A_Message',
    ...extra,
  };
}

it('the outbound messages are found whichever folder of the source is named', () => {
  const { outbound } = readPackage(PACKAGE_DIR);
  expect(outbound.map(({ object, name }) => `${object}.${name}`)).toEqual([
    'Opportunity.Lockstep_Opportunity_Changed',
    'Lockstep_Found_Order__c.Lockstep_Found_Order_Ticked',
    'Lockstep_Order_Search__c.Lockstep_Order_Search_Created',
  ]);
  expect(readPackage(join(PACKAGE_DIR, 'default')).outbound).toEqual(outbound);
});

it('of several outbound messages the one of opportunities comes first, whatever the order of the folders', () => {
  const names = (dirs: readonly string[]) => readPackage(...dirs).outbound.map(({ object }) => object);
  for (const dirs of [
    [LEADS_DIR, PACKAGE_DIR],
    [PACKAGE_DIR, LEADS_DIR],
  ]) {
    expect(names(dirs)[0]).toBe('Opportunity');
    expect(names(dirs)).toContain('Lead');
  }
});

describe('the flow of the CRM package', () => {
  const shipped = readFlows(PACKAGE_DIR).flows.find(({ object }) => object === 'Opportunity');

  it('sends the package’s outbound message after a create or an update', () => {
    expect(shipped).toMatchObject({
      object: 'Opportunity',
      on: ['insert', 'update'],
      message: 'Opportunity.Lockstep_Opportunity_Changed',
    });
    expect(readFlows(PACKAGE_DIR).notUnderstood).toEqual([]);
  });

  it.each<[string, Row | undefined, Row, boolean]>([
    ['made shared', undefined, shared, true],
    ['made unshared', undefined, unshared, false],
    ['saved while shared', shared, { ...shared, Name: 'New' }, true],
    ['saved while unshared', unshared, { ...unshared, Name: 'New' }, false],
    ['no longer shared', shared, unshared, true],
  ])('starts for one that was %s: %#', (_, before, after, expected) => {
    expect(shipped && starts(shipped, before === undefined ? 'insert' : 'update', before, after)).toBe(expected);
  });
});

describe('the flow of the CRM package that runs before a save', () => {
  const [shipped] = readPackage(PACKAGE_DIR).rules.beforeSaveFlows;

  it('sets one field by a formula of the row, of its former state and of the user', () => {
    expect(shipped).toMatchObject({ name: 'Lockstep_Vendor_Claim', object: 'Opportunity', on: 'both' });
    const formula = shipped?.set['Vendor_Id_Claim__c'] ?? '';
    for (const part of ['Vendor_Id__c', 'PRIORVALUE(Vendor_Id__c)', '$Permission.Lockstep_Claim_Vendor_Records'])
      expect(formula).toContain(part);
    expect(formula).not.toContain('{!');
  });
});

describe('entry conditions', () => {
  it.each<[string, Condition['operator'], Condition['value'], boolean]>([
    ['Name', 'EqualTo', 'Deal', true],
    ['Name', 'NotEqualTo', 'Deal', false],
    ['Name', 'StartsWith', 'De', true],
    ['Name', 'EndsWith', 'x', false],
    ['Name', 'Contains', 'ea', true],
    ['Amount', 'GreaterThan', 5, false],
    ['Amount', 'GreaterThanOrEqualTo', 5, true],
    ['Amount', 'LessThan', 6, true],
    ['Amount', 'LessThanOrEqualTo', 4, false],
    ['NextStep', 'IsNull', true, true],
    ['Name', 'IsNull', true, false],
    ['NextStep', 'GreaterThan', 1, false],
  ])('%s %s %s is %s', (field, operator, value, expected) => {
    expect(starts(flow([{ field, operator, value }]), 'insert', undefined, shared)).toBe(expected);
  });

  it('tell a changed field by the row before, and none on a new row', () => {
    const changed = flow([{ field: 'Amount', operator: 'IsChanged', value: true }]);
    expect(starts(changed, 'update', shared, { ...shared, Amount: 6 })).toBe(true);
    expect(starts(changed, 'update', shared, { ...shared, Name: 'x' })).toBe(false);
    expect(starts(changed, 'insert', undefined, shared)).toBe(false);
  });

  it('may have to be met newly', () => {
    const conditions = [{ field: 'Amount', operator: 'GreaterThan', value: 4 }] as const;
    const newly = flow(conditions, { onlyWhenNewlyMet: true });
    expect(starts(newly, 'update', shared, { ...shared, Amount: 9 })).toBe(false);
    expect(starts(newly, 'update', { ...shared, Amount: 1 }, shared)).toBe(true);
  });

  it('hold for the saves that the flow names, and for every one where there are none', () => {
    const onCreate = flow([], { on: ['insert'] });
    expect(starts(onCreate, 'insert', undefined, unshared)).toBe(true);
    expect(starts(onCreate, 'update', unshared, unshared)).toBe(false);
    expect(starts(flow([]), 'delete', shared, shared)).toBe(false);
    expect(starts(flow([]), 'undelete', shared, shared)).toBe(false);
  });
});

describe('a flow that the simulator cannot follow', () => {
  const OUTBOUND = `<actionCalls><name>Send</name><actionName>Opportunity.M</actionName>
    <actionType>outboundMessage</actionType></actionCalls>`;
  const START = `<start><object>Opportunity</object><recordTriggerType>Update</recordTriggerType>
    <triggerType>RecordAfterSave</triggerType>`;
  const TO_SEND = '<connector><targetReference>Send</targetReference></connector>';

  function read(content: string, status = 'Active') {
    const dir = temporaryFolder('flows');
    mkdirSync(join(dir, 'main', 'default', 'flows'), { recursive: true });
    const xml = `<Flow xmlns="http://soap.sforce.com/2006/04/metadata">${content}<status>${status}</status></Flow>`;
    writeFileSync(join(dir, 'main', 'default', 'flows', 'Own.flow-meta.xml'), xml);
    return readFlows(dir);
  }

  it.each([
    ['a formula', `${OUTBOUND}${START}${TO_SEND}<filterFormula>1 = 1</filterFormula></start>`, 'filterFormula'],
    [
      'an operator',
      `${OUTBOUND}${START}${TO_SEND}<filters><field>Name</field><operator>WasSet</operator></filters></start>`,
      'WasSet',
    ],
    ['a logic', `${OUTBOUND}${START}${TO_SEND}<filterLogic>1 AND (2 OR 3)</filterLogic></start>`, '1 AND (2 OR 3)'],
    [
      'a step',
      `${OUTBOUND}${START}<connector><targetReference>Decide</targetReference></connector></start>
       <decisions><name>Decide</name></decisions>`,
      'Decide',
    ],
    ['a path', `${OUTBOUND}${START}${TO_SEND}<scheduledPaths/></start>`, 'scheduledPaths'],
  ])('because of %s is named with what stops it, and sends nothing', (_, content, reason) => {
    const { flows, notUnderstood } = read(content);
    expect(flows).toEqual([]);
    expect(notUnderstood).toHaveLength(1);
    expect(notUnderstood[0]).toMatch(/^The flow Own /);
    expect(notUnderstood[0]).toContain(reason);
  });

  it('does not matter where it is not active', () => {
    expect(read(`${OUTBOUND}${START}${TO_SEND}</start>`, 'Draft')).toEqual({ flows: [], notUnderstood: [] });
    expect(read(`${OUTBOUND}${START}${TO_SEND}</start>`).flows).toHaveLength(1);
  });
});
