import { XmlElement } from '@rgrove/parse-xml';
import { childrenOf, textAt } from '../schema/xml.ts';
import type { Component } from './components.ts';
import type { Names } from './names.ts';

/** What the Metadata API refuses of Lightning web components. The simulator does not compile them. */

const TARGETS = /^lightning(__|Community__|Snapin__)\w+$/;
const FILES = /^[a-z]\w*\.(js|html|css|svg|js-meta\.xml)$/;

type Targets = {
  readonly isExposed: boolean;
  readonly targets: readonly string[];
  /** The objects to whose record pages the component is restricted; empty for all. */
  readonly objects: readonly string[];
};

export function targetsOf({ root }: Component): Targets {
  const configs = childrenOf(root, 'targetConfigs').flatMap((one) => childrenOf(one, 'targetConfig'));
  return {
    isExposed: textAt(root, 'isExposed') === 'true',
    targets: childrenOf(root, 'targets')
      .flatMap((one) => childrenOf(one, 'target'))
      .map(({ text }) => text.trim()),
    objects: configs
      .flatMap((one) => childrenOf(one, 'objects'))
      .flatMap((one) => childrenOf(one, 'object'))
      .map(({ text }) => text.trim()),
  };
}

export function bundleProblems(component: Component, names: Names): readonly string[] {
  const { name, files, root } = component;
  const { isExposed, targets } = targetsOf(component);
  const configured = childrenOf(root, 'targetConfigs')
    .flatMap((one) => one.children.filter((child): child is XmlElement => child instanceof XmlElement))
    .flatMap((one) => (one.attributes['targets'] ?? '').split(','));
  return [
    ...(files.has(`${name}.js`) || files.has(`${name}.html`) ? [] : [`No file ${name}.js or ${name}.html`]),
    ...[...files.keys()].filter((file) => !FILES.test(file)).map((file) => `Invalid file name: ${file}`),
    ...targets.filter((one) => !TARGETS.test(one)).map((one) => `The target ${one} doesn't exist`),
    ...configured
      .filter((one) => !targets.includes(one))
      .map((one) => `The target ${one} is configured, and not among the targets`),
    ...(isExposed && targets.length === 0 ? ['An exposed component needs targets'] : []),
    ...[...files].flatMap(([file, text]) => importProblems(file, text, names)),
  ];
}

const IMPORTS = /\bfrom\s+['"]c\/(\w+)['"]/g;
const TAGS = /<c-([a-z][a-z0-9-]*)/g;

/** The modules of the org that a file imports, and the components that a template shows. */
function importProblems(file: string, text: string, names: Names): readonly string[] {
  const found = file.endsWith('.js')
    ? [...text.matchAll(IMPORTS)].map(([, module = '']) => module)
    : file.endsWith('.html')
      ? [...text.matchAll(TAGS)].map(([, tag = '']) =>
          tag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
        )
      : [];
  return found
    .filter((module) => names.find('LightningComponentBundle', module) === undefined)
    .map((module) => `No MODULE named markup://c:${module} found`);
}
