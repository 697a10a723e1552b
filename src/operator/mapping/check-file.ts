import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import { type MappingFile, parseMappingFile } from '../../platform/mapping-file.ts';
import { DEFAULT_MAPPING_TEXT } from '../../platform/mapping-text.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { checkMapping, type MappingCheck, type MappingPorts, type Place, unreadable } from './check-mapping.ts';
import { mappingWith, type ReadMapping } from './show-mapping.ts';

/** Mapping files to check. `own`: the file that the tenant names, if any. `given`: a file to check instead. */
export type CheckedFiles = { readonly own: ReadMapping | null; readonly given: ReadMapping | null };

/**
 * Checks a mapping against the tenant's org and lists its problems, or, if the mapping file cannot be parsed, those of the file.
 * `readable`: connects to the org, so that what the mapping names can be read. Throws the CRM's errors.
 */
export async function checkMappingFile(
  readable: (mapping: MappingConfig) => Promise<MappingPorts>,
  tenant: Pick<Tenant, 'tenant' | 'mapping' | 'plainMapping' | 'publishedMapping' | 'imports'>,
  { own, given }: CheckedFiles,
): Promise<MappingCheck> {
  const read = given ?? own;
  if (read !== null && 'problems' in read) return unreadable(tenant.tenant, read.problems);
  const mapping = given === null ? tenant.mapping : mappingWith(tenant, given);
  return checkMapping(await readable(mapping), { ...tenant, mapping }, placesIn(read));
}

/**
 * Makes a function that returns where a setting is written (file and line): in the tenant's own file if it is there, else in the default
 * mapping.
 */
function placesIn(own: MappingFile | null): (at: readonly (string | number)[]) => Place {
  const usual = parseMappingFile('docs/default.mapping.yaml', DEFAULT_MAPPING_TEXT);
  if ('problems' in usual) throw new TypeError('the default mapping is no mapping file');
  return (at) => {
    const [section = '', field = ''] = at.map(String);
    const isSaid = own?.yaml.has(at) === true || own?.yaml.has([section, field]) === true;
    const { yaml } = isSaid ? own : usual;
    return { file: yaml.file, line: yaml.lineOf(at) };
  };
}
