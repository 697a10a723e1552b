import { parseXml, type XmlElement, XmlNode } from '@rgrove/parse-xml';
import { ApiSchemas } from 'jsforce/lib/api/metadata/schema.js';
import { describe, expect, it } from 'vitest';
import { packageFiles, values } from '../support/crm-package.ts';

/**
 * The package's metadata against the types of the Metadata API's WSDL, as jsforce has them: no element that the type lacks, none
 * missing that it requires, none twice that it has once.
 */

type Schema = { readonly props: Readonly<Record<string, unknown>>; readonly extends?: string };
const SCHEMAS = ApiSchemas as unknown as Readonly<Record<string, Schema>>;
const files = packageFiles();
/** Kinds that nothing else here reads. */
const KINDS =
  /\.(report|reportType|dashboard|quickAction|compactLayout|listView|reportFolder|dashboardFolder)-meta\.xml$/;
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
