import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listedFields, type RestrictedField, restrictPicklist } from '../../operator/mapping/restrict-picklist.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';

type Options = { readonly tenant?: string; readonly source: string; readonly out?: string };

const PACKAGE = join('crm-package', 'main', 'default');

type Picklists = {
  readonly shape: 'picklists/1';
  readonly tenant: string;
  readonly fields: readonly RestrictedField[];
  /** The folder into which the metadata was written; null if the command only showed what it would write. */
  readonly out: string | null;
};

/** `lockstep picklists`: writes Salesforce metadata for picklists whose only values are the codes in the tenant file. */
export const addPicklists = operatorVerb({
  name: 'picklists',
  example: `Examples:
  lockstep picklists                     shows which values each picklist would get, and lose
  lockstep picklists --out acme-lists    writes a Salesforce project; an administrator deploys it:
                                         cd acme-lists && sf project deploy start

The values come from vendor.lists of the tenant file. A value that the list lacks stays on old opportunities, inactive. The source is the
folder of the CRM package, or one with fields of your own that "sf project retrieve start" wrote. Exits with 2 when a field cannot be
restricted.`,
  takes: (command) =>
    tenantOption(command)
      .option('--source <folder>', 'the folder with the present metadata of the fields', PACKAGE)
      .option('--out <folder>', 'the folder to write; without this option the command only shows its plan'),
  run: async (tools, { tenant: named, source, out }: Options): Promise<Picklists> => {
    const { tenant, mapping } = await tools.tenant(named);
    const fields = listedFields(mapping).map((listed) => {
      const path = join(source, pathOf(listed.crmField));
      return restrictPicklist({ ...listed, source: existsSync(path) ? readFileSync(path, 'utf8') : null }, mapping);
    });
    if (out !== undefined) writeProject(out, fields);
    return { shape: 'picklists/1', tenant, fields, out: out ?? null };
  },
  effect: 'reads',
  lines: picklistLines,
  needsAttention: ({ fields }) => fields.some(({ problem }) => problem !== null),
});

function pathOf(crmField: string): string {
  return join('objects', 'Opportunity', 'fields', `${crmField}.field-meta.xml`);
}

/** Writes a Salesforce DX project (the metadata of the picklist fields, in source format) into the folder. */
export function writeProject(folder: string, fields: readonly RestrictedField[]): void {
  const project = { packageDirectories: [{ path: 'main', default: true }], sourceApiVersion: '67.0' };
  write(join(folder, 'sfdx-project.json'), `${JSON.stringify(project, null, 2)}\n`);
  for (const { crmField, source } of fields)
    if (source !== null) write(join(folder, 'main', 'default', pathOf(crmField)), source);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function picklistLines({ tenant, fields, out }: Picklists): readonly string[] {
  if (fields.length === 0)
    return [`${tenant}: vendor.lists of the tenant file has no list of a field of the opportunity.`];
  return [
    ...fields.flatMap(({ crmField, added, deactivated, wasText, wasOpen, problem }) => [
      `${crmField}: ${problem === null ? 'takes only the values of the list' : `cannot be restricted: ${problem}`}`,
      ...(wasText ? ['  becomes a picklist instead of a text; its present values stay'] : []),
      ...(wasOpen ? ['  takes other values today'] : []),
      ...(added.length === 0 ? [] : [`  added: ${added.join(', ')}`]),
      ...(deactivated.length === 0 ? [] : [`  no longer to be chosen: ${deactivated.join(', ')}`]),
    ]),
    out === null
      ? 'Nothing was written; --out FOLDER writes the metadata.'
      : `Written; to deploy it: cd ${out} && sf project deploy start`,
  ];
}
