import LockstepSides from 'c/lockstepSides';
import { getRecord, updateRecord } from 'lightning/uiRecordApi';
import { getRelatedListRecords } from 'lightning/uiRelatedListApi';
import { createElement } from 'lwc';

const DEAL = '006000000000001AAA';
const STATES = JSON.stringify([
  { field: 'description', name: 'description', crm: 'Description', goes: 'both', rule: 'manual', is: 'conflict' },
  { field: 'name', name: 'name', crm: 'Name', goes: 'both', rule: 'newest', is: 'same' },
]);

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
const field = (value) => ({ value, displayValue: null });

/** The component on a page, with the sync row that the data service gives; null for a deal without one. */
async function shown(row, { objectApiName = 'Opportunity', recordId = DEAL } = {}) {
  const element = createElement('c-lockstep-sides', { is: LockstepSides });
  Object.assign(element, { recordId, objectApiName });
  document.body.append(element);
  const fields = Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, field(value)]));
  getRelatedListRecords.emit({ records: row === null ? [] : [{ id: 'a00', fields }] });
  await settled();
  return element;
}

const at = (element, selector) => element.shadowRoot.querySelector(selector);
const text = (element) => element.shadowRoot.textContent;
const press = async (element, action) => {
  at(element, `[data-action="${action}"]`).click();
  await settled();
};
const conflict = { Sync_State__c: 'Conflict', Field_States__c: STATES, Field_Values__c: null, Resolve__c: null };

afterEach(() => {
  document.body.replaceChildren();
  jest.clearAllMocks();
});

it.each([
  ['In sync', 'Sync now', false],
  ['Conflict', 'Sync now', true],
  ['Closed at vendor', 'Sync now', true],
  ['Parked', 'Retry', false],
])('in state %s offers %s', async (Sync_State__c, label, asks) => {
  const element = await shown({ Sync_State__c });
  expect(at(element, '[data-action="sync"]').label).toBe(label);
  expect(at(element, '[data-action="ours"]') !== null).toBe(asks);
});

it('says that a deal is not shared, and offers nothing', async () => {
  const element = await shown(null);
  expect(text(element)).toContain('not shared with the vendor yet');
  expect(at(element, 'lightning-button')).toBeNull();
});

it('shows the message where no report has come field by field', async () => {
  const element = await shown({ Sync_State__c: 'Parked', Message__c: 'Fill in "Stage".' });
  expect(text(element)).toContain('Fill in "Stage".');
  expect(text(element)).toContain('with its next report');
});

it('reads of the opportunity the fields that the report names', async () => {
  const element = await shown(conflict);
  expect(getRecord.getLastConfig()).toEqual({
    recordId: DEAL,
    optionalFields: ['Opportunity.Description', 'Opportunity.Name'],
  });
  getRecord.emit({ fields: { Description: field('Ours'), Name: field('A') } }, ({ optionalFields }) => optionalFields);
  await settled();
  const [differs] = at(element, 'c-lockstep-field-table').fields;
  expect(differs.crm.text).toBe('Ours');
});

it('finds the opportunity of a sync row', async () => {
  await shown(conflict, { objectApiName: 'Lockstep_Sync__c', recordId: 'a00' });
  getRecord.emit({ fields: { Opportunity__c: field(DEAL) } }, ({ fields }) => fields);
  await settled();
  expect(getRelatedListRecords.getLastConfig()).toMatchObject({
    parentRecordId: DEAL,
    relatedListId: 'Lockstep_Syncs__r',
  });
});

it('shows a lead with its own sync row and fields, and requests its sync', async () => {
  const lead = '00Q000000000001AAA';
  const states = JSON.stringify([
    { field: 'status', name: 'stage', crm: 'Status', goes: 'both', rule: 'newest', is: 'same' },
  ]);
  const row = { Sync_State__c: 'Parked', Field_States__c: states };
  const element = await shown(row, { objectApiName: 'Lead', recordId: lead });
  expect(getRelatedListRecords.getLastConfig()).toMatchObject({
    parentRecordId: lead,
    relatedListId: 'Lockstep_Lead_Syncs__r',
    fields: ['Lockstep_Lead_Sync__c.Id', 'Lockstep_Lead_Sync__c.Sync_State__c'],
  });
  expect(getRecord.getLastConfig()).toEqual({ recordId: lead, optionalFields: ['Lead.Status'] });
  await press(element, 'sync');
  expect(updateRecord.mock.calls[0][0].fields.Id).toBe(lead);
});

it('says of a lead too that it is not shared', async () => {
  expect(text(await shown(null, { objectApiName: 'Lead' }))).toContain('This lead is not shared');
});

it.each([
  ['ours', "Keep Salesforce's"],
  ['theirs', "Take the vendor's"],
])('stores the choice %s and has Lockstep follow', async (action, choice) => {
  const element = await shown(conflict);
  await press(element, action);
  expect(updateRecord.mock.calls.map(([{ fields }]) => fields)).toEqual([
    { Id: 'a00', Resolve__c: choice },
    { Id: DEAL, Lockstep_Sync_Asked__c: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
  ]);
  expect(at(element, '[role="status"]').textContent).toContain(choice);
});

it('keeps the choice of a user who may not edit the opportunity', async () => {
  const element = await shown(conflict);
  updateRecord.mockResolvedValueOnce({}).mockRejectedValueOnce({ body: { message: 'No.' } });
  await press(element, 'ours');
  expect(at(element, '[role="alert"]')).toBeNull();
});

it('shows why a request was refused', async () => {
  const element = await shown(conflict);
  updateRecord.mockRejectedValueOnce({ body: { message: 'No.' } });
  await press(element, 'sync');
  expect(at(element, '[role="alert"]').textContent).toBe('No.');
});

it('offers no second choice while one waits', async () => {
  const element = await shown({ ...conflict, Resolve__c: "Take the vendor's" });
  expect(at(element, '[data-action="theirs"]').disabled).toBe(true);
  expect(text(element)).toContain("Chosen: Take the vendor's");
});

it.each([
  ['row', getRelatedListRecords],
  ['deal', getRecord],
])('shows why the %s could not be read', async (_, service) => {
  const element = await shown(conflict);
  service.error({ message: 'Insufficient access.' });
  await settled();
  expect(at(element, '[role="alert"]').textContent).toBe('Insufficient access.');
});
