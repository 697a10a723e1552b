import { parseXml, type XmlElement } from '@rgrove/parse-xml';
import { childrenOf, textAt } from '../schema/xml.ts';

/** The components of a deployment in metadata format, by the folders of `describeMetadata`. */

export type Component = {
  readonly type: string;
  readonly name: string;
  /** Path below the folder of the package. */
  readonly path: string;
  /** The root element; of a Lightning web component that of its settings. */
  readonly root: XmlElement;
  /** The files of a Lightning web component by name; empty for other types. */
  readonly files: ReadonlyMap<string, string>;
};

/** A failure as `componentFailures` of a deploy result lists it. */
export type Failure = {
  readonly componentType: string;
  readonly fullName: string;
  readonly fileName: string;
  readonly problem: string;
};

/** Types that are one XML file each, by folder: suffix and type. */
export const TYPES: Readonly<Record<string, readonly [suffix: string, type: string]>> = {
  applications: ['app', 'CustomApplication'],
  customPermissions: ['customPermission', 'CustomPermission'],
  dashboards: ['dashboard', 'Dashboard'],
  LeadConvertSettings: ['LeadConvertSetting', 'LeadConvertSettings'],
  flexipages: ['flexipage', 'FlexiPage'],
  flows: ['flow', 'Flow'],
  globalValueSets: ['globalValueSet', 'GlobalValueSet'],
  layouts: ['layout', 'Layout'],
  notificationtypes: ['notiftype', 'CustomNotificationType'],
  objects: ['object', 'CustomObject'],
  permissionsets: ['permissionset', 'PermissionSet'],
  platformEventChannelMembers: ['platformEventChannelMember', 'PlatformEventChannelMember'],
  platformEventChannels: ['platformEventChannel', 'PlatformEventChannel'],
  quickActions: ['quickAction', 'QuickAction'],
  reportTypes: ['reportType', 'ReportType'],
  reports: ['report', 'Report'],
  tabs: ['tab', 'CustomTab'],
  workflows: ['workflow', 'Workflow'],
};
/** The types of reports and dashboards have folders of their own, whose settings are a file beside each folder. */
const FOLDERS: Readonly<Record<string, string>> = { reports: 'ReportFolder', dashboards: 'DashboardFolder' };

export type ReadComponents = { readonly components: readonly Component[]; readonly failures: readonly Failure[] };

/** Reads the files below the package's folder; each file that is no component becomes a failure. */
export function componentsOf(files: ReadonlyMap<string, Buffer>): ReadComponents {
  const components: Component[] = [];
  const failures: Failure[] = [];
  for (const [path, content] of files) {
    if (path === 'package.xml') continue;
    const read = path.startsWith('lwc/') ? readBundle(path, files) : readFile(path, content);
    if (read === null) continue;
    if ('problem' in read) failures.push(read);
    else components.push(read);
  }
  return { components, failures };
}

function readFile(path: string, content: Buffer): Component | Failure {
  const [folder = '', ...rest] = path.split('/');
  const [suffix, type] = TYPES[folder] ?? [];
  const ofFolder = FOLDERS[folder];
  const file = rest.join('/');
  const asFolder = ofFolder && /^([\w/]+)-meta\.xml$/.exec(file)?.[1];
  const name =
    asFolder || (suffix !== undefined && file.endsWith(`.${suffix}`) ? file.slice(0, -suffix.length - 1) : '');
  if (type === undefined || name === '') return failureOf('', path, path, `Unknown type of file: ${path}`);
  const actual = asFolder ? (ofFolder ?? '') : type;
  return parsed(content.toString('utf8'), { type: actual, name: decoded(name), path, files: new Map() });
}

/** A layout's file name has its signs escaped, as `%27` for an apostrophe. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The bundle whose settings have this path; null for its other files. */
function readBundle(path: string, all: ReadonlyMap<string, Buffer>): Component | Failure | null {
  const [, name = '', file = '', below] = path.split('/');
  if (below !== undefined)
    return failureOf('LightningComponentBundle', name, path, `Unexpected folder in a bundle: ${file}`);
  if (file !== `${name}.js-meta.xml`) {
    const hasSettings = all.has(`lwc/${name}/${name}.js-meta.xml`);
    return hasSettings ? null : failureOf('LightningComponentBundle', name, path, `No settings: ${name}.js-meta.xml`);
  }
  const own = [...all].filter(([other]) => /^lwc\/(\w+)\/[^/]+$/.exec(other)?.[1] === name);
  const files = new Map(own.map(([other, content]) => [other.split('/').at(-1) ?? '', content.toString('utf8')]));
  return parsed(files.get(file) ?? '', { type: 'LightningComponentBundle', name, path, files });
}

function parsed(text: string, component: Omit<Component, 'root'>): Component | Failure {
  const { type, name, path } = component;
  try {
    const { root } = parseXml(text);
    if (root?.name === type) return { ...component, root };
    return failureOf(type, name, path, `Error parsing file: Element ${root?.name} invalid, ${type} expected`);
  } catch (error) {
    return failureOf(type, name, path, `Error parsing file: ${(error as Error).message.split('\n')[0]}`);
  }
}

export function failureOf(componentType: string, fullName: string, fileName: string, problem: string): Failure {
  return { componentType, fullName, fileName, problem };
}

/** The parts of an object that a manifest may name as components of their own: element of the object, and type. */
export const PARTS: readonly (readonly [element: string, type: string])[] = [
  ['fields', 'CustomField'],
  ['compactLayouts', 'CompactLayout'],
  ['listViews', 'ListView'],
  ['recordTypes', 'RecordType'],
  ['validationRules', 'ValidationRule'],
  ['webLinks', 'WebLink'],
];
const PARTS_OF_WORKFLOWS: readonly (readonly [string, string])[] = [
  ['alerts', 'WorkflowAlert'],
  ['fieldUpdates', 'WorkflowFieldUpdate'],
  ['outboundMessages', 'WorkflowOutboundMessage'],
  ['rules', 'WorkflowRule'],
];

/** The parts of a component, as `Type:Owner.Name`. */
export function partsOf({ type, name, root }: Component): readonly string[] {
  const parts = type === 'CustomObject' ? PARTS : type === 'Workflow' ? PARTS_OF_WORKFLOWS : [];
  return parts.flatMap(([element, part]) =>
    childrenOf(root, element).map((one) => `${part}:${name}.${textAt(one, 'fullName')}`),
  );
}

/** What the manifest names and the zip lacks, and what the zip has besides. `*` names all components of a type. */
export function manifestFailures(manifest: XmlElement, components: readonly Component[]): readonly Failure[] {
  const present = new Set(components.flatMap((one) => [`${one.type}:${one.name}`, ...partsOf(one)]));
  const named = childrenOf(manifest, 'types').flatMap((types) =>
    childrenOf(types, 'members').map(({ text }) => ({ type: textAt(types, 'name') ?? '', name: text.trim() })),
  );
  const wanted = new Set(named.map(({ type, name }) => `${type}:${name}`));
  const lacking = named
    .filter(({ type, name }) => name !== '*' && !isPresent(present, type, name))
    .map(({ type, name }) =>
      failureOf(
        type,
        name,
        'package.xml',
        `An object '${name}' of type ${type} was named in package.xml, but was not found in zipped directory`,
      ),
    );
  const unnamed = components
    .filter((one) => !isWanted(wanted, one))
    .map(({ type, name, path }) => failureOf(type, name, path, 'Not in package.xml'));
  return [...lacking, ...unnamed];
}

/** A manifest names a folder of reports among the reports, and a part together with its owner's file. */
function isPresent(present: ReadonlySet<string>, type: string, name: string): boolean {
  return present.has(`${type}:${name}`) || present.has(`${type}Folder:${name.replace(/\/$/, '')}`);
}

function isWanted(wanted: ReadonlySet<string>, component: Component): boolean {
  const type = component.type.replace(/Folder$/, '');
  const folder = type === component.type ? [] : [`${type}:${component.name}/`];
  const own = [`${type}:${component.name}`, `${type}:*`, ...folder, ...partsOf(component)];
  return own.some((name) => wanted.has(name));
}
