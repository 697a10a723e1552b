import LockstepConflicts from 'c/lockstepConflicts';
import { getListRecordsByName } from 'lightning/uiListsApi';
import { updateRecord } from 'lightning/uiRecordApi';
import { createElement } from 'lwc';

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
const field = (value) => ({ value, displayValue: null });
const states = (is) => JSON.stringify([{ field: 'f', name: 'f', crm: 'Name', goes: 'both', rule: 'manual', is }]);

const record = (id, more) => ({
  id,
  fields: {
    Opportunity__c: field(`006-${id}`),
    Opportunity__r: field({ fields: { Name: field(`Deal ${id}`) } }),
    Field_States__c: field(states('conflict')),
    Field_Values__c: field('{"f":{"crm":"ours","vendor":"theirs"}}'),
    Resolve__c: field(null),
    ...more,
  },
});

async function shown(records, nextPageToken = null) {
  const element = createElement('c-lockstep-conflicts', { is: LockstepConflicts });
  document.body.append(element);
  getListRecordsByName.emit({ records, nextPageToken });
  await settled();
  return element;
}

const at = (element, selector) => element.shadowRoot.querySelector(selector);
const press = async (element, selector) => {
  at(element, selector).click();
  await settled();
};

afterEach(() => {
  document.body.replaceChildren();
  jest.clearAllMocks();
});

it('says that nothing waits', async () => {
  expect(at(await shown([]), '.hint').textContent).toBe('No deal waits for your choice.');
});

it('shows both sides of each deal, and the message of one without a report field by field', async () => {
  const message = { Field_States__c: field(null), Message__c: field('Choose.') };
  const element = await shown([record('1'), record('2', message)]);
  const [row] = at(element, '[data-deal="1"] c-lockstep-field-table').fields;
  expect([row.crm.text, row.vendor.text]).toEqual(['ours', 'theirs']);
  expect(at(element, '[data-deal="2"] .message').textContent).toBe('Choose.');
});

it('stores the choice for one deal', async () => {
  const element = await shown([record('1'), record('2')]);
  await press(element, 'lightning-button[data-deal="2"][data-action="theirs"]');
  expect(updateRecord.mock.calls[0][0].fields).toEqual({ Id: '2', Resolve__c: "Take the vendor's" });
  expect(updateRecord.mock.calls[1][0].fields.Id).toBe('006-2');
  expect(at(element, 'lightning-button[data-deal="2"]').disabled).toBe(true);
  expect(at(element, 'lightning-button[data-deal="1"]').disabled).toBe(false);
});

it('offers the choice again after a refusal', async () => {
  const element = await shown([record('1')]);
  updateRecord.mockRejectedValueOnce({ body: { message: 'No.' } });
  await press(element, '[data-action="ours"]');
  expect(at(element, '[role="alert"]').textContent).toBe('Deal 1: No.');
  expect(at(element, '[data-action="ours"]').disabled).toBe(false);
});

it('shows more where there are more', async () => {
  const element = await shown([record('1')], 'next');
  await press(element, '[data-action="more"]');
  expect(getListRecordsByName.getLastConfig()).toMatchObject({ listViewApiName: 'Conflicts', pageSize: 40 });
});
