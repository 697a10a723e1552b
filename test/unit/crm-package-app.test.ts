import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SIDES_FIELDS } from '../../src/domain/decide/report-fields.ts';
import { ASKED_FIELD } from '../../src/domain/record/asked.ts';
import { FIELDS } from '../../src/domain/record/fields.ts';
import { PICK_FIELD, PICKS } from '../../src/domain/record/pick.ts';
import { elements, packageFiles, values } from '../support/crm-package.ts';

/** The Lightning app and what its parts must agree on, beyond what a deployment checks. */

const PACKAGE = fileURLToPath(new URL('../../crm-package/main/default/', import.meta.url));
const files = packageFiles();
const at = (path: string): string => files[path] ?? '';
const SYNC = 'objects/Lockstep_Sync__c';
const USER = 'permissionsets/Lockstep_User.permissionset-meta.xml';
const component = (name: string): string => readFileSync(`${PACKAGE}lwc/${name}/${name}.js`, 'utf8');
const plain = (text: string): string => text.replaceAll('&apos;', "'");

it('has a list view for each state of a deal, and one for all that wait', () => {
  const [, ...states] = values(at(`${SYNC}/fields/Sync_State__c.field-meta.xml`), 'label');
  const views = Object.entries(files).filter(([path]) => path.startsWith(`${SYNC}/listViews/`));
  const shown = views.flatMap(([, xml]) =>
    elements(xml, 'filters')
      .filter((one) => values(one, 'field')[0] === 'Sync_State__c' && values(one, 'operation')[0] === 'equals')
      .flatMap((one) => values(one, 'value')),
  );
  expect(states.length).toBeGreaterThan(5);
  expect(shown).toEqual(expect.arrayContaining(states));
  expect(shown).toContain('Conflict,Closed at vendor,Parked,Vendor missing');
});

it('has Sync now and Retry for many deals, by a flow with the rights of the user', () => {
  const buttons = values(at(`${SYNC}/Lockstep_Sync__c.object-meta.xml`), 'listViewButtons');
  expect(buttons).toEqual(['Lockstep_Sync_Now', 'Lockstep_Retry']);
  for (const button of buttons) {
    const link = at(`${SYNC}/webLinks/${button}.webLink-meta.xml`);
    expect(values(link, 'url')).toEqual(['/flow/Lockstep_Sync_Many?retURL=/lightning/o/Lockstep_Sync__c/list']);
    expect(values(link, 'requireRowSelection')).toEqual(['true']);
  }
  const ofOpportunities = at('objects/Opportunity/webLinks/Lockstep_Sync_Many.webLink-meta.xml');
  expect(values(ofOpportunities, 'url')[0]).toMatch(/^\/flow\/Lockstep_Sync_Many\?/);
  const flow = at('flows/Lockstep_Sync_Many.flow-meta.xml');
  const [lookup = ''] = elements(flow, 'recordLookups');
  expect([values(lookup, 'filterLogic'), values(lookup, 'field')]).toEqual([['or'], ['Id', 'Opportunity__c']]);
  // Salesforce gives the selected rows to a variable of this name.
  const ids = elements(flow, 'variables').find((one) => values(one, 'name')[0] === 'ids') ?? '';
  expect([values(ids, 'isCollection'), values(ids, 'isInput')]).toEqual([['true'], ['true']]);
  expect(values(flow, 'runInMode')).toEqual(['DefaultMode']);
  const [update = ''] = elements(flow, 'recordUpdates');
  expect(values(elements(update, 'inputAssignments')[0] ?? '', 'field')).toEqual([ASKED_FIELD]);
  expect(elements(flow, 'recordUpdates')).toHaveLength(1);
});

it('shows its pages on a desk and on a phone', () => {
  for (const path of ['applications/Lockstep.app-meta.xml', `${SYNC}/Lockstep_Sync__c.object-meta.xml`])
    expect(elements(at(path), 'actionOverrides').flatMap((one) => values(one, 'formFactor'))).toEqual([
      'Large',
      'Small',
    ]);
  expect(values(at(USER), 'application')).toEqual(['Lockstep']);
});

it('lets its components read what the engine writes, and write what the engine reads', () => {
  const sides = component('lockstepSides');
  for (const field of [...Object.values(SIDES_FIELDS), PICK_FIELD]) expect(sides).toContain(`'${field}'`);
  const actions = component('lockstepActions');
  for (const text of [ASKED_FIELD, PICK_FIELD, ...Object.keys(PICKS)]) expect(actions).toContain(text);
  const [, ...picks] = values(at(`${SYNC}/fields/${PICK_FIELD}.field-meta.xml`), 'label');
  expect(picks.map(plain)).toEqual(Object.keys(PICKS));
  // Names of objects stand for fields that are no single field of the opportunity.
  const objects = Object.values(FIELDS)
    .map(({ crm }) => crm)
    .filter((crm) => /^(Account|Contact|OpportunityLineItem|User)$/.test(crm));
  for (const object of objects) expect(component('lockstepRows')).toContain(`'${object}'`);
  expect(component('lockstepConflicts')).toContain("listViewApiName: 'Conflicts'");
});
