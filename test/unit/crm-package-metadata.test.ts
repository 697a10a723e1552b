import { describe, expect, it } from 'vitest';
import { TOTAL_FIELDS } from '../../src/mirror/orders/order-totals.ts';
import { elements, ownObjects, packageFiles, values } from '../support/crm-package.ts';

/**
 * What users find on pages, layouts and tabs of the package. Shapes and names of the metadata are judged by the simulated deployment,
 * `simulators/test/contract/salesforce-deploy.test.ts`.
 */

const files = packageFiles();
const fieldFile = (object: string, field: string): string => `objects/${object}/fields/${field}.field-meta.xml`;

/** The properties of a page's component, by its identifier. */
function propertiesOf(page: string, identifier: string): (name: string) => readonly string[] {
  const [component = ''] = elements(page, 'componentInstance').filter((one) =>
    values(one, 'identifier').includes(identifier),
  );
  return (name) =>
    elements(component, 'componentInstanceProperties')
      .filter((property) => values(property, 'name').includes(name))
      .flatMap((property) => values(property, 'value'));
}

describe('the record page of an opportunity', () => {
  const page = files['flexipages/Lockstep_Opportunity.flexipage-meta.xml'] ?? '';
  const isThere = (object: string) => (field: string) => files[fieldFile(object, field)] !== undefined;

  it.each([
    ['Lockstep_Sync__c', 'lst_dynamicRelatedList_Lockstep', ['State_In_Words__c', 'Message__c']],
    [
      'Vendor_Order__c',
      'lst_dynamicRelatedList_VendorOrders',
      ['Type__c', 'Status__c', 'Start_Date__c', 'Net_Amount__c'],
    ],
  ])('lists rows of %s, by fields and a relationship of the package', (object, identifier, wanted) => {
    const properties = propertiesOf(page, identifier);
    const shown = properties('relatedListFieldAliases');
    expect(shown).toEqual(expect.arrayContaining(wanted));
    expect(shown.filter((field) => field !== 'NAME' && !isThere(object)(field))).toEqual([]);
    const [list = ''] = properties('relatedListApiName');
    const lookup = files[fieldFile(object, 'Opportunity__c')] ?? '';
    expect(values(lookup, 'relationshipName')).toContain(list.replace(/__r$/, ''));
    expect(properties('parentFieldApiName')).toEqual(['Opportunity.Id']);
  });

  it('shows what its orders come to, which nobody changes', () => {
    const shown = elements(page, 'fieldInstance');
    expect(shown.flatMap((one) => values(one, 'fieldItem'))).toEqual(TOTAL_FIELDS.map((field) => `Record.${field}`));
    expect(TOTAL_FIELDS.filter((field) => !isThere('Opportunity')(field))).toEqual([]);
    for (const one of shown) {
      // An org refuses a field whose identifier is any other, and says something else of it.
      const [item = ''] = values(one, 'fieldItem');
      const identifier = `${item.replace('.', '').replace('__c', '_c')}Field`;
      expect([values(one, 'identifier'), values(one, 'value')]).toEqual([[identifier], ['readonly']]);
    }
  });

  it('offers the action, and shows both sides of the deal before all else', () => {
    expect(propertiesOf(page, 'force_highlightsPanel')('actionNames')).toContain('Opportunity.Lockstep_Sync_Now');
    const main = elements(page, 'flexiPageRegions').find((region) => values(region, 'name').at(-1) === 'main') ?? '';
    expect(values(main, 'componentName')[0]).toBe('c:lockstepSides');
  });
});

describe('the page layouts', () => {
  /** Objects whose rows people look at; notices are for no eye. */
  const mirrored = ownObjects(files).filter((object) => /^Vendor_/.test(object) && !object.includes('Notice'));
  const labelOf = (object: string): string => {
    const [own = ''] = (files[`objects/${object}/${object}.object-meta.xml`] ?? '').split('<nameField>');
    return values(own, 'label').at(-1) ?? '';
  };
  const layoutFile = (object: string): string => `layouts/${object}-${labelOf(object)} Layout.layout-meta.xml`;
  const layoutOf = (object: string): string => files[layoutFile(object)] ?? '';

  it.each(mirrored)('shows each field of %s once, under the name that an org gives its first', (object) => {
    const items = elements(layoutOf(object), 'layoutItems');
    const fields = Object.keys(files).flatMap((path) => {
      const [, of, field] = /^objects\/(\w+)\/fields\/(\w+)\./.exec(path) ?? [];
      return of === object && field !== undefined ? [field] : [];
    });
    const shown = items.flatMap((item) => values(item, 'field')).filter((field) => field !== 'OwnerId');
    expect(shown.toSorted(), `crm-package/main/default/${layoutFile(object)}`).toEqual([...fields, 'Name'].toSorted());
    // Of Lockstep's own nobody changes anything; a name and a master have to be there.
    const changeable = items.filter((item) => !values(item, 'behavior').includes('Readonly'));
    const master = fields.filter((field) =>
      values(files[fieldFile(object, field)] ?? '', 'type').includes('MasterDetail'),
    );
    expect(changeable.flatMap((item) => values(item, 'field')).toSorted()).toEqual(
      ['Name', ...master, ...(master.length === 0 ? ['OwnerId'] : [])].toSorted(),
    );
  });

  it('an order lists its lines, by fields of theirs', () => {
    const [list = ''] = elements(layoutOf('Vendor_Order__c'), 'relatedLists');
    expect(values(list, 'relatedList')).toEqual(['Vendor_Order_Line__c.Vendor_Order__c']);
    const fields = values(list, 'fields').filter((field) => field !== 'NAME');
    expect(fields.length).toBeGreaterThan(3);
    expect(fields.filter((field) => files[fieldFile('Vendor_Order_Line__c', field)] === undefined)).toEqual([]);
  });
});

it('every tab of the package is there for who has the permission set of users', () => {
  const tabs = Object.keys(files).flatMap((path) => /^tabs\/(\w+)\./.exec(path)?.[1] ?? []);
  const settings = elements(files['permissionsets/Lockstep_User.permissionset-meta.xml'] ?? '', 'tabSettings');
  expect(settings.flatMap((one) => values(one, 'tab').map((tab) => `${tab} ${values(one, 'visibility')[0]}`))).toEqual(
    tabs.toSorted().map((tab) => `${tab} Visible`),
  );
});
