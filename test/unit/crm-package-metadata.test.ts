import { parseXml, type XmlElement, XmlNode } from '@rgrove/parse-xml';
import { ApiSchemas } from 'jsforce/lib/api/metadata/schema.js';
import { describe, expect, it } from 'vitest';
import { TOTAL_FIELDS } from '../../src/mirror/orders/order-totals.ts';
import { elements, ownObjects, packageFiles, values } from '../support/crm-package.ts';

/**
 * The package's metadata against the types of the Metadata API's WSDL, as jsforce has them: no element that the type lacks, none
 * missing that it requires, none twice that it has once.
 */

type Schema = { readonly props: Readonly<Record<string, unknown>>; readonly extends?: string };
/** Types of pages as the Metadata API has them since 49.0; jsforce's are those of before. */
const OF_PAGES: Readonly<Record<string, Schema>> = {
  FlexiPageRegion: {
    props: { itemInstances: ['ItemInstance'], mode: '?string', name: 'string', type: 'string' },
  },
  ItemInstance: { props: { componentInstance: '?ComponentInstance', fieldInstance: '?FieldInstance' } },
  ComponentInstance: {
    props: {
      componentInstanceProperties: ['ComponentInstanceProperty'],
      componentName: 'string',
      identifier: 'string',
      visibilityRule: '?UiFormulaRule',
    },
  },
  ComponentInstanceProperty: {
    props: {
      name: '?string',
      type: '?string',
      value: '?string',
      valueList: '?ComponentInstancePropertyList',
    },
  },
  ComponentInstancePropertyList: { props: { valueListItems: ['ComponentInstancePropertyListItem'] } },
  FieldInstance: {
    props: {
      fieldInstanceProperties: ['FieldInstanceProperty'],
      fieldItem: 'string',
      identifier: 'string',
      visibilityRule: '?UiFormulaRule',
    },
  },
  FieldInstanceProperty: { props: { name: 'string', type: '?string', value: '?string' } },
  ComponentInstancePropertyListItem: { props: { value: '?string', visibilityRule: '?UiFormulaRule' } },
};
const SCHEMAS = { ...(ApiSchemas as unknown as Readonly<Record<string, Schema>>), ...OF_PAGES };
const files = packageFiles();
/** Kinds that nothing else here reads. */
const KINDS =
  /\.(report|reportType|dashboard|quickAction|compactLayout|listView|reportFolder|dashboardFolder|flexipage|layout)-meta\.xml$/;
const own = Object.keys(files).filter((path) => KINDS.test(path));

/** `?x` once at most, `x` once, `[x]` any number of times. */
type Prop = { readonly type: string; readonly isList: boolean; readonly isRequired: boolean };

function propsOf(type: string): Readonly<Record<string, Prop>> {
  const schema = SCHEMAS[type];
  if (schema === undefined) return {};
  const inherited = schema.extends === undefined ? {} : propsOf(schema.extends);
  const props = Object.entries(schema.props).map(([name, given]) => {
    const isList = Array.isArray(given);
    const text = String(isList ? given[0] : given);
    return [name, { type: text.replace(/^\?/, ''), isList, isRequired: !isList && !text.startsWith('?') }] as const;
  });
  return { ...inherited, ...Object.fromEntries(props) };
}

const children = (element: XmlElement): readonly XmlElement[] =>
  element.children.filter((child): child is XmlElement => child.type === XmlNode.TYPE_ELEMENT);

function problems(element: XmlElement, type: string, at: string): readonly string[] {
  const props = propsOf(type);
  const given = children(element);
  const names = given.map(({ name }) => name);
  return [
    ...names.filter((name) => props[name] === undefined).map((name) => `${at}: ${type} has no <${name}>`),
    ...Object.entries(props)
      .filter(([name, { isRequired }]) => isRequired && !names.includes(name))
      .map(([name]) => `${at}: ${type} needs <${name}>`),
    ...Object.entries(props)
      .filter(([name, { isList }]) => !isList && names.filter((other) => other === name).length > 1)
      .map(([name]) => `${at}: ${type} has one <${name}>`),
    ...given.flatMap((child) => {
      const inner = props[child.name]?.type;
      return inner !== undefined && SCHEMAS[inner] !== undefined ? problems(child, inner, at) : [];
    }),
  ];
}

const check = (xml: string, at: string): readonly string[] => {
  const { root } = parseXml(xml);
  return root === null ? [`${at}: nothing`] : problems(root, root.name, at);
};

describe('the metadata of the package', () => {
  it('has what its types have, and nothing else', () => {
    expect(own.length).toBeGreaterThan(8);
    expect(own.flatMap((path) => check(files[path] ?? '', path))).toEqual([]);
  });

  it('is refused where an element is unknown, missing or there twice', () => {
    const path = 'dashboards/Lockstep/Vendor_Orders.dashboard-meta.xml';
    const xml = files[path] ?? '';
    expect(check(xml.replace('<title>Vendor orders</title>', ''), 'x')).toEqual(['x: Dashboard needs <title>']);
    expect(check(xml.replaceAll('componentType>', 'kind>'), 'x')).toContain('x: DashboardComponent has no <kind>');
    expect(check(xml.replace('<titleSize>', '<titleSize>1</titleSize><titleSize>'), 'x')).toEqual([
      'x: Dashboard has one <titleSize>',
    ]);
    const page = files['flexipages/Lockstep_Opportunity.flexipage-meta.xml'] ?? '';
    expect(check(page.replace(/<identifier>force_highlightsPanel<.identifier>/, ''), 'x')).toEqual([
      'x: ComponentInstance needs <identifier>',
    ]);
  });
});

/** The fields that a file names, by `Object.Field`; custom ones alone are the package's. */
function namedFields(path: string, xml: string): readonly string[] {
  const columns = [
    ...values(xml, 'column'),
    ...values(xml, 'field'),
    ...values(xml, 'dateColumn'),
    ...values(xml, 'groupingColumn'),
  ];
  if (path.startsWith('reports/') || path.startsWith('dashboards/'))
    return columns.map((name) => name.replace(/^\w+\.Lockstep_Syncs__r\$/, 'Lockstep_Sync__c.').replace('$', '.'));
  const laidOut = /^layouts\/(\w+)-/.exec(path)?.[1];
  if (laidOut !== undefined) return values(xml, 'field').map((name) => `${laidOut}.${name}`);
  const object = /^objects\/(\w+)\//.exec(path)?.[1] ?? /^quickActions\/(\w+)\./.exec(path)?.[1];
  if (object !== undefined)
    return [...values(xml, 'columns'), ...values(xml, 'fields'), ...values(xml, 'field')].map(
      (name) => `${object}.${name}`,
    );
  const tables = values(xml, 'table').map((name) => name.replace(/^\w+\.Lockstep_Syncs__r$/, 'Lockstep_Sync__c'));
  return values(xml, 'field').map((name, place) => `${tables[place]}.${name}`);
}

it('every field that a report, a view or an action names is in the package', () => {
  const missing = own.flatMap((path) =>
    namedFields(path, files[path] ?? '')
      .filter((name) => name.endsWith('__c'))
      .filter((name) => {
        const [object, field] = name.split('.');
        return files[`objects/${object}/fields/${field}.field-meta.xml`] === undefined;
      })
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
  const [report = ''] = own.filter((path) => path.startsWith('reports/Lockstep/'));
  expect(namedFields(report, files[report] ?? '').some((name) => name.startsWith('Vendor_Order__c.'))).toBe(true);
});

it('every report that a dashboard shows is there, and of a type that is', () => {
  const shown = own
    .filter((path) => path.startsWith('dashboards/Lockstep/'))
    .flatMap((path) => values(files[path] ?? '', 'report'));
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter((name) => files[`reports/${name}.report-meta.xml`] === undefined)).toEqual([]);
  const types = own
    .filter((path) => path.startsWith('reports/Lockstep/'))
    .flatMap((path) => values(files[path] ?? '', 'reportType'));
  expect(
    types.filter((name) => files[`reportTypes/${name.replace(/__c$/, '')}.reportType-meta.xml`] === undefined),
  ).toEqual([]);
});

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

  it('offers the action, which is in the package', () => {
    const actions = propertiesOf(page, 'force_highlightsPanel')('actionNames').filter((name) => name.includes('.'));
    expect(actions).toEqual(['Opportunity.Lockstep_Sync_Now']);
    expect(actions.filter((name) => files[`quickActions/${name}.quickAction-meta.xml`] === undefined)).toEqual([]);
  });

  it('is of the opportunity, tells its components apart, and has each part in one place', () => {
    expect(values(page, 'sobjectType')).toEqual(['Opportunity']);
    const names = values(page, 'identifier');
    expect(new Set(names).size).toBe(names.length);
    const regions = elements(page, 'flexiPageRegions').flatMap((region) => values(region, 'name').slice(-1));
    const facets = regions.filter((name) => name.startsWith('Facet-'));
    expect(regions.filter((name) => !facets.includes(name))).toEqual(['header', 'main', 'sidebar']);
    const used = values(page, 'value').filter((value) => value.startsWith('Facet-'));
    expect(used.toSorted()).toEqual(facets.toSorted());
  });
});

describe('the page layouts', () => {
  /** Objects whose rows people look at; notices are for no eye. */
  const mirrored = ownObjects(files).filter((object) => /^Vendor_/.test(object) && !object.includes('Notice'));
  const labelOf = (object: string): string => {
    const [own = ''] = (files[`objects/${object}/${object}.object-meta.xml`] ?? '').split('<nameField>');
    return values(own, 'label').at(-1) ?? '';
  };
  const layoutOf = (object: string): string =>
    files[`layouts/${object}-${labelOf(object)} Layout.layout-meta.xml`] ?? '';

  it.each(mirrored)('shows each field of %s once, under the name that an org gives its first', (object) => {
    const items = elements(layoutOf(object), 'layoutItems');
    const fields = Object.keys(files).flatMap((path) => {
      const [, of, field] = /^objects\/(\w+)\/fields\/(\w+)\./.exec(path) ?? [];
      return of === object && field !== undefined ? [field] : [];
    });
    const shown = items.flatMap((item) => values(item, 'field')).filter((field) => field !== 'OwnerId');
    expect(shown.toSorted()).toEqual([...fields, 'Name'].toSorted());
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
