import type { XmlElement } from '@rgrove/parse-xml';
import { childrenOf, textAt } from '../schema/xml.ts';
import { targetsOf } from './bundles.ts';
import type { Component } from './components.ts';
import type { Names } from './names.ts';

/** What the Metadata API refuses of Lightning pages: templates, regions, components and fields. */

/** Regions that a template has, of the templates that are known here. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'flexipage:defaultAppHomeTemplate': ['main'],
  'flexipage:recordHomeTemplateDesktop': ['header', 'main', 'sidebar'],
};
const TARGETS: Readonly<Record<string, string>> = {
  AppPage: 'lightning__AppPage',
  HomePage: 'lightning__HomePage',
  RecordPage: 'lightning__RecordPage',
};

export function pageProblems({ root }: Component, names: Names): readonly string[] {
  const regions = childrenOf(root, 'flexiPageRegions');
  const items = regions.flatMap((region) => childrenOf(region, 'itemInstances'));
  const components = items.flatMap((item) => childrenOf(item, 'componentInstance'));
  const fields = items.flatMap((item) => childrenOf(item, 'fieldInstance'));
  const object = textAt(root, 'sobjectType');
  return [
    ...templateProblems(root, regions),
    ...repeated([...components, ...fields].map((one) => textAt(one, 'identifier') ?? '')),
    ...components.flatMap((one) => componentProblems(one, textAt(root, 'type') ?? '', { object, names })),
    ...fields.flatMap((one) => fieldProblems(one, object ?? '', names)),
    ...facetProblems(regions, components),
  ];
}

function templateProblems(root: XmlElement, regions: readonly XmlElement[]): readonly string[] {
  const name = textAt(root, 'template', 'name') ?? '';
  const known = TEMPLATES[name];
  if (known === undefined) return [`Template ${name} doesn't exist.`];
  return regions
    .filter((region) => textAt(region, 'type') === 'Region')
    .map((region) => textAt(region, 'name') ?? '')
    .filter((region) => !known.includes(region))
    .map((region) => `The region ${region} doesn't exist in the template ${name}`);
}

function repeated(identifiers: readonly string[]): readonly string[] {
  const twice = identifiers.filter((one, at) => identifiers.indexOf(one) !== at);
  return twice.map((identifier) => `The identifier ${identifier} is used more than once`);
}

type Page = { readonly object: string | undefined; readonly names: Names };

/** A component of the org itself stands on pages of its targets, and on record pages of its objects. */
function componentProblems(instance: XmlElement, pageType: string, { object, names }: Page): readonly string[] {
  const name = textAt(instance, 'componentName') ?? '';
  const actions = namedBy(instance, 'actionNames').filter((action) => action.includes('.'));
  const lacking = actions
    .filter((action) => !names.has('QuickAction', action))
    .map((action) => `In field: actionNames - no QuickAction named ${action} found`);
  if (!name.startsWith('c:')) return lacking;
  const bundle = names.find('LightningComponentBundle', name.slice('c:'.length));
  if (bundle === undefined)
    return [...lacking, `We couldn't retrieve the design time component information for component ${name}.`];
  const { isExposed, targets, objects } = targetsOf(bundle);
  const isHere = isExposed && targets.includes(TARGETS[pageType] ?? '');
  const isForObject = object === undefined || objects.length === 0 || objects.includes(object);
  return isHere && isForObject ? lacking : [...lacking, `The component ${name} isn't available on this page`];
}

function namedBy(instance: XmlElement, property: string): readonly string[] {
  return childrenOf(instance, 'componentInstanceProperties')
    .filter((one) => textAt(one, 'name') === property)
    .flatMap((one) => childrenOf(one, 'valueList'))
    .flatMap((list) => childrenOf(list, 'valueListItems'))
    .map((item) => textAt(item, 'value') ?? '');
}

/** `Record.Amount__c` has the identifier `RecordAmount_cField`. */
function fieldProblems(instance: XmlElement, object: string, names: Names): readonly string[] {
  const item = textAt(instance, 'fieldItem') ?? '';
  const field = item.replace(/^Record\./, '');
  const identifier = `Record${field.replace(/__c$/, '_c')}Field`;
  return [
    ...(names.has('CustomField', `${object}.${field}`) ? [] : [`The ${item} field doesn't exist on ${object}`]),
    ...(textAt(instance, 'identifier') === identifier ? [] : [`The identifier of ${item} has to be ${identifier}`]),
  ];
}

/** A facet is a region that a component shows. */
function facetProblems(regions: readonly XmlElement[], components: readonly XmlElement[]): readonly string[] {
  const facets = regions.filter((one) => textAt(one, 'type') === 'Facet').map((one) => textAt(one, 'name') ?? '');
  const used = components
    .flatMap((one) => childrenOf(one, 'componentInstanceProperties'))
    .flatMap((one) => textAt(one, 'value') ?? []);
  return facets.filter((facet) => !used.includes(facet)).map((facet) => `No component shows the facet ${facet}`);
}
