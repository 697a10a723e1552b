import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import { type MappingFile, parseMappingFile } from '../../platform/mapping-file.ts';
import { DEFAULT_MAPPING_TEXT } from '../../platform/mapping-text.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { checkMapping, type MappingCheck, type MappingPorts, type Place, unreadable } from './check-mapping.ts';
import { mappingWith, type ReadMapping } from './show-mapping.ts';

/**
 * Mapping files to check. `own`: the tenant's own file; null if the tenant has none. `given`: another file to check instead of `own`; null
 * if there is none.
 */
export type CheckedFiles = { readonly own: ReadMapping | null; readonly given: ReadMapping | null };

/**
 * Checks a mapping against the tenant's org and lists its problems. If the mapping file cannot be parsed, lists the problems of the file
 * instead. `readable`: connects to the org, with read access to the fields that a mapping names. Throws the CRM's errors.
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
 * Makes a function that returns the file and line in which a setting is written. For a setting that the tenant's own file does not contain,
 * it returns the file and line of the default mapping.
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
