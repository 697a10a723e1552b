/** What doctor finds in the setup of an org: flows of the package, permissions, and rules that can refuse a write. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FlowNeed, flowsOf } from '../../../src/operator/doctor/judge-flows.ts';
import { judgeSetup, type SetupNeeds } from '../../../src/operator/doctor/judge-setup.ts';
import type { ChangesBy, Tenant } from '../../../src/platform/tenant.ts';
import type { CrmSetup, FlowState } from '../../../src/salesforce/setup.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';

/** Every flow of the CRM package and of its part for leads. */
const FLOWS_OF_PACKAGE = ['main', 'leads']
  .flatMap((part) => readdirSync(join(import.meta.dirname, '../../../crm-package', part, 'default/flows')))
  .map((file) => file.replace('.flow-meta.xml', ''))
  .toSorted();
const TENANT = {
  salesforce: {},
  mapping: mappingConfig(),
  notify: { owner: 'none' },
  orders: { notifyOwner: 'none' },
} as unknown as Tenant;

const states = (flows: readonly FlowNeed[], of: Readonly<Record<string, FlowState>> = {}): CrmSetup['flows'] =>
  new Map(flows.map(({ name }) => [name, of[name] ?? 'active']));
const FLOWS: readonly FlowNeed[] = [
  { name: 'Lockstep_Opportunity_Changed', without: 'changes of the CRM wait for the sweep' },
  { name: 'Lockstep_Ring_Owner', without: 'owners get no bell notification' },
];
const BY_EVENTS: readonly FlowNeed[] = [{ name: 'Lockstep_Opportunity_Changed', without: null }];
const SETUP: CrmSetup = { flows: states(FLOWS), sendingSets: [], duplicateRules: [], validationRules: [] };

describe('the org’s setup', () => {
  const NEEDS: SetupNeeds = { objects: ['Opportunity', 'Account'], allowDuplicates: false, flows: FLOWS };
  const found = (setup: Partial<CrmSetup>, needs: Partial<SetupNeeds> = {}) =>
    judgeSetup({ ...SETUP, ...setup }, { ...NEEDS, ...needs }).filter(({ verdict }) => verdict !== 'ok');
  const account = { object: 'Account', name: 'Same_Name' };
  const amount = { object: 'Opportunity', name: 'Amount_Set', formula: 'ISBLANK(Amount)' };
  const exempt = { ...amount, formula: 'AND(NOT($Permission.Lockstep_Owned_Fields), ISBLANK(Amount))' };

  it('is well with the flow, a silent user, and rules that let it pass or are of other objects', () => {
    expect(found({})).toEqual([]);
    expect(found({ validationRules: [exempt, { ...amount, object: 'Lead' }] })).toEqual([]);
    expect(found({ duplicateRules: [{ ...account, object: 'Lead' }] })).toEqual([]);
    expect(found({ duplicateRules: [account] }, { allowDuplicates: true })).toEqual([]);
    const silent = states(BY_EVENTS, { Lockstep_Opportunity_Changed: 'inactive' });
    expect(found({ flows: silent }, { flows: BY_EVENTS })).toEqual([]);
  });

  it.each<[Partial<CrmSetup>, RegExp, RegExp]>([
    [
      { flows: states(FLOWS, { Lockstep_Opportunity_Changed: 'inactive' }) },
      /Opportunity_Changed is inactive: changes of the CRM wait/,
      /activate it/,
    ],
    [
      { flows: states(FLOWS, { Lockstep_Ring_Owner: 'missing' }) },
      /Ring_Owner is missing: owners/,
      /deploy the package/,
    ],
    [{ sendingSets: [{ name: 'Sales', isProfile: false }] }, /wakes us/, /from Sales$/],
    [{ sendingSets: [{ name: 'X00e1', isProfile: true }] }, /wakes us/, /from its profile$/],
    [{ validationRules: [amount, exempt] }, /: Opportunity\.Amount_Set$/, /\$Permission\.Lockstep_Owned_Fields/],
    [{ validationRules: [{ ...exempt, formula: null }] }, /Amount_Set/, /exempt/],
    [{ duplicateRules: [account] }, /: Account\.Same_Name$/, /allowDuplicates/],
  ])('tells of %j and its repair', (setup, what, repair) => {
    const [judgment, ...others] = found(setup);
    expect(others).toEqual([]);
    expect(judgment).toMatchObject({ verdict: 'warns' });
    expect(judgment?.what).toMatch(what);
    expect(judgment?.repair).toMatch(repair);
  });

  it('names a flow that sends messages although changes come as events', () => {
    expect(found({ flows: states(BY_EVENTS) }, { flows: BY_EVENTS })).toMatchObject([
      { verdict: 'warns', what: expect.stringContaining('looked at twice'), repair: expect.stringContaining('both') },
    ]);
  });

  it('needs each flow of the package that the tenant uses, and no other', () => {
    const tenant = (changes: ChangesBy, more: object = {}) =>
      ({ ...TENANT, salesforce: { ...TENANT.salesforce, changes }, ...more }) as Tenant;
    const needed = (of: Tenant) => flowsOf(of).flatMap(({ name, without }) => (without === null ? [] : [name]));
    const leads = { mapping: { ...TENANT.mapping, leads: {} } };
    const all = needed(tenant('both', { ...leads, notify: { owner: 'bell' } }));
    expect(all.toSorted()).toEqual(FLOWS_OF_PACKAGE);
    expect(needed(tenant('outbound', { orders: { notifyOwner: 'bell' } }))).toContain('Lockstep_Ring_Owner');
    expect(needed(tenant('outbound')).some((name) => /Lead|Ring/.test(name))).toBe(false);
    expect(needed(tenant('pubsub', leads)).some((name) => /Changed|Search|Ticked/.test(name))).toBe(false);
  });

  it('is skipped where the org does not show it, and says where to look', () => {
    const hidden = found({ flows: null, sendingSets: null, duplicateRules: null, validationRules: null });
    expect(hidden.map(({ verdict }) => verdict)).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
    for (const { repair } of hidden) expect(repair).toMatch(/View Setup and Configuration.*look (under|at)/);
  });
});
