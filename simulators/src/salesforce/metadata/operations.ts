import type { XmlElement } from '@rgrove/parse-xml';
import type { Org } from '../org.ts';
import { childrenNamed, type SoapValue, textOf } from '../soap/envelope.ts';
import { SoapFault } from '../soap/soap-fault.ts';
import { toApiInstant } from '../store/instant.ts';
import { TYPES } from './components.ts';
import { deployed, deployResult } from './deploy.ts';

/** The namespace of the Metadata API's calls. */
export const METADATA_NAMESPACE = 'http://soap.sforce.com/2006/04/metadata';

/** How many deployments an org remembers. */
const MOST_JOBS = 20;

type Operation = (org: Org, userId: string, argument: XmlElement) => readonly SoapValue[];

/** The calls of the Metadata API that are simulated, by name. */
export const METADATA_OPERATIONS: Readonly<Record<string, Operation>> = {
  deploy: (org, userId, argument) => {
    mayDeploy(org, userId);
    const [options] = childrenNamed(argument, 'DeployOptions');
    const isSet = (name: string): boolean => textOf(options, name) === 'true';
    const zip = Buffer.from(textOf(argument, 'ZipFile') ?? '', 'base64');
    const id = org.store.nextId('0Af');
    const at = toApiInstant(org.clock.now()).replace('+0000', 'Z');
    const job = deployed(org, zip, { checkOnly: isSet('checkOnly'), singlePackage: isSet('singlePackage') });
    org.deployments.set(id, { job, at });
    for (const old of [...org.deployments.keys()].slice(0, -MOST_JOBS)) org.deployments.delete(old);
    return [{ done: false, id, state: 'Queued' }];
  },
  checkDeployStatus: (org, userId, argument) => {
    mayDeploy(org, userId);
    const id = textOf(argument, 'asyncProcessId') ?? '';
    const found = org.deployments.get(id);
    if (found === undefined)
      throw new SoapFault('sf:INVALID_CROSS_REFERENCE_KEY', 'INVALID_CROSS_REFERENCE_KEY: invalid cross reference id');
    return [deployResult(id, found.at, found.job, textOf(argument, 'includeDetails') === 'true')];
  },
  describeMetadata: (org, userId) => {
    mayDeploy(org, userId);
    const metadataObjects = Object.entries(TYPES).map(([directoryName, [suffix, xmlName]]) => ({
      directoryName,
      inFolder: xmlName === 'Report' || xmlName === 'Dashboard',
      metaFile: false,
      suffix,
      xmlName,
    }));
    return [{ metadataObjects, organizationNamespace: '', partialSaveAllowed: true, testRequired: false }];
  },
};

function mayDeploy(org: Org, userId: string): void {
  if (org.access.hasUserPermission(userId, 'ModifyMetadata')) return;
  const message = 'use of the Metadata API requires a user with the ModifyAllData or ModifyMetadata permissions';
  throw new SoapFault('sf:INSUFFICIENT_ACCESS', `INSUFFICIENT_ACCESS: ${message}`);
}
