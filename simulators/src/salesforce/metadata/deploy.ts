import { parseXml, type XmlElement } from '@rgrove/parse-xml';
import type { Org } from '../org.ts';
import type { SoapValue } from '../soap/envelope.ts';
import { type Component, componentsOf, type Failure, failureOf, manifestFailures, partsOf } from './components.ts';
import type { Deployed } from './deployments.ts';
import { namesOf } from './names.ts';
import { referenceProblems } from './references.ts';
import { ruleProblems } from './rules.ts';
import { shapeProblems } from './shapes.ts';
import { filesOfZip } from './zip.ts';

/**
 * `deploy()` of the Metadata API: judges every component of a zip. The rows and rules of the org stay those of its start, so an object, a
 * field or a permission set that the org lacks is refused in words that no org uses.
 */

type DeployOptions = { readonly checkOnly: boolean; readonly singlePackage: boolean };

/** Judges a zip in metadata format. A zip that cannot be read is one failure. */
export function deployed(org: Org, zip: Buffer, { checkOnly, singlePackage }: DeployOptions): Deployed {
  try {
    const files = new Map(
      [...filesOfZip(zip)].map(([path, content]) => [singlePackage ? path : belowFolder(path), content]),
    );
    const manifest = files.get('package.xml');
    if (manifest === undefined) throw new Error('No package.xml found');
    const { components, failures } = componentsOf(files);
    return {
      checkOnly,
      components,
      failures: [...failures, ...failuresOf(org, rootOf(manifest), components, checkOnly)],
    };
  } catch (error) {
    const problem = (error as Error).message;
    return { checkOnly, components: [], failures: [failureOf('', 'package.xml', 'package.xml', problem)] };
  }
}

function rootOf(manifest: Buffer): XmlElement {
  const { root } = parseXml(manifest.toString('utf8'));
  if (root?.name !== 'Package') throw new Error('package.xml: Element Package expected');
  return root;
}

function belowFolder(path: string): string {
  return path.slice(path.indexOf('/') + 1);
}

function failuresOf(
  org: Org,
  manifest: XmlElement,
  components: readonly Component[],
  checkOnly: boolean,
): readonly Failure[] {
  const { schema } = org.store;
  const names = namesOf(
    components,
    schema,
    new Set([...org.metadata.customPermissions].map((name) => `CustomPermission:${name}`)),
  );
  return [
    ...manifestFailures(manifest, components),
    ...components.flatMap((component) => {
      const { type, name, path, root } = component;
      const shape = shapeProblems(root, type);
      const problems =
        shape.length > 0
          ? shape
          : [
              ...referenceProblems(component, names),
              ...ruleProblems(component, names),
              ...(checkOnly ? [] : notApplied(org, component)),
            ];
      return problems.map((problem) => failureOf(type, name, path, problem));
    }),
  ];
}

/** What of a component the org would not follow, because it was not made with it. */
function notApplied(org: Org, { type, name, root }: Component): readonly string[] {
  const known =
    type === 'CustomObject'
      ? partsOf({ type, name, root, path: '', files: new Map() })
          .filter((part) => part.startsWith('CustomField:'))
          .map((part) => part.slice('CustomField:'.length))
          .every((field) => hasField(org, field)) && org.store.schema.object(name) !== undefined
      : type !== 'PermissionSet' || org.metadata.permissionSets.some((set) => set.name === name);
  return known ? [] : [`${name} is not simulated: start the simulator with the folder of its source`];
}

function hasField(org: Org, name: string): boolean {
  const [object = '', field = ''] = name.split('.');
  const found = org.store.schema.object(object)?.fields.has(field.toLowerCase()) === true;
  return found || !field.endsWith('__c');
}

/** The result of a deployment as `checkDeployStatus()` answers it. */
export function deployResult(id: string, at: string, job: Deployed, hasDetails: boolean): SoapValue {
  const { checkOnly, components, failures } = job;
  const failed = new Set(failures.map(({ fileName }) => fileName));
  const successes = components.filter(({ path }) => !failed.has(path));
  const success = failures.length === 0;
  const details = {
    componentFailures: failures.map((one) => failureMessage(one, at)),
    componentSuccesses: successes.map((one) => successMessage(one, at)),
  };
  return {
    checkOnly,
    completedDate: at,
    createdDate: at,
    ...(hasDetails ? { details } : {}),
    done: true,
    id,
    ignoreWarnings: false,
    lastModifiedDate: at,
    numberComponentErrors: String(failures.length),
    numberComponentsDeployed: String(successes.length),
    numberComponentsTotal: String(successes.length + failures.length),
    numberTestErrors: '0',
    numberTestsCompleted: '0',
    numberTestsTotal: '0',
    rollbackOnError: true,
    runTestsEnabled: false,
    startDate: at,
    status: success ? 'Succeeded' : 'Failed',
    success,
  };
}

const UNCHANGED = { changed: false, created: false, deleted: false };

function failureMessage({ problem, ...named }: Failure, createdDate: string): SoapValue {
  return { ...UNCHANGED, ...named, createdDate, problem, problemType: 'Error', success: false };
}

function successMessage({ type, name, path }: Component, createdDate: string): SoapValue {
  const named = { componentType: type, fullName: name, fileName: path };
  return { ...UNCHANGED, changed: true, ...named, createdDate, success: true };
}
