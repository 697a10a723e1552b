import { parseXml, type XmlElement, XmlNode } from '@rgrove/parse-xml';
import { ApiSchemas } from 'jsforce/lib/api/metadata/schema.js';
import { describe, expect, it } from 'vitest';
import { elements, packageFiles, values } from '../support/crm-package.ts';

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
  ComponentInstancePropertyListItem: { props: { value: '?string', visibilityRule: '?UiFormulaRule' } },
};
const SCHEMAS = { ...(ApiSchemas as unknown as Readonly<Record<string, Schema>>), ...OF_PAGES };
const files = packageFiles();
/** Kinds that nothing else here reads. */
const KINDS =
  /\.(report|reportType|dashboard|quickAction|compactLayout|listView|reportFolder|dashboardFolder|flexipage)-meta\.xml$/;
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
    return [
      name,
      { type: text.replace(/^\?/, ''), isList, isRequired: !isList && !text.startsWith('?') },
    ] as const;
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
    expect(check(xml.replace('<title>Vendor orders</title>', ''), 'x')).toEqual([
      'x: Dashboard needs <title>',
    ]);
    expect(check(xml.replaceAll('componentType>', 'kind>'), 'x')).toContain(
      'x: DashboardComponent has no <kind>',
    );
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
    return columns.map((name) =>
      name.replace(/^\w+\.Lockstep_Syncs__r\$/, 'Lockstep_Sync__c.').replace('$', '.'),
    );
  const object = /^objects\/(\w+)\//.exec(path)?.[1] ?? /^quickActions\/(\w+)\./.exec(path)?.[1];
  if (object !== undefined)
    return [...values(xml, 'columns'), ...values(xml, 'fields'), ...values(xml, 'field')].map(
      (name) => `${object}.${name}`,
    );
  const tables = values(xml, 'table').map((name) =>
    name.replace(/^\w+\.Lockstep_Syncs__r$/, 'Lockstep_Sync__c'),
  );
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
  expect(namedFields(report, files[report] ?? '').some((name) => name.startsWith('Vendor_Order__c.'))).toBe(
    true,
  );
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
    types.filter(
      (name) => files[`reportTypes/${name.replace(/__c$/, '')}.reportType-meta.xml`] === undefined,
    ),
  ).toEqual([]);
});

describe('the record page of an opportunity', () => {
  const page = files['flexipages/Lockstep_Opportunity.flexipage-meta.xml'] ?? '';
  const properties = (name: string): readonly string[] =>
    elements(page, 'componentInstanceProperties')
      .filter((property) => values(property, 'name').includes(name))
      .flatMap((property) => values(property, 'value'));

  it('shows the state and its message in words, and offers the action, each of which is in the package', () => {
    const shown = properties('relatedListFieldAliases');
    expect(shown).toEqual(expect.arrayContaining(['State_In_Words__c', 'Message__c']));
    const isThere = (field: string) =>
      files[`objects/Lockstep_Sync__c/fields/${field}.field-meta.xml`] !== undefined;
    expect(shown.filter((field) => field !== 'NAME' && !isThere(field))).toEqual([]);
    const [list = ''] = properties('relatedListApiName');
    const master = files['objects/Lockstep_Sync__c/fields/Opportunity__c.field-meta.xml'] ?? '';
    expect(values(master, 'relationshipName')).toContain(list.replace(/__r$/, ''));
    expect(properties('parentFieldApiName')).toEqual(['Opportunity.Id']);
    const actions = properties('actionNames').filter((name) => name.includes('.'));
    expect(actions).toEqual(['Opportunity.Lockstep_Sync_Now']);
    expect(
      actions.filter((name) => files[`quickActions/${name}.quickAction-meta.xml`] === undefined),
    ).toEqual([]);
  });

  it('is of the opportunity, and tells its components apart', () => {
    expect(values(page, 'sobjectType')).toEqual(['Opportunity']);
    const names = values(page, 'identifier');
    expect(new Set(names).size).toBe(names.length);
    expect(elements(page, 'flexiPageRegions').flatMap((region) => values(region, 'name').slice(-1))).toEqual([
      'header',
      'main',
      'sidebar',
    ]);
  });
});
