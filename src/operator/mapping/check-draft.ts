import { parsePublished } from '../../platform/published-mapping.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { checkMappingFile } from './check-file.ts';
import type { MappingCheck, MappingPorts } from './check-mapping.ts';

type Mapped = Pick<Tenant, 'tenant' | 'mapping' | 'plainMapping' | 'publishedMapping' | 'imports'>;

/**
 * Checks a mapping against the tenant's org and lists its problems. `text`: a draft of a mapping file; null checks the mapping that the
 * tenant has. If the draft cannot be parsed, lists the problems of its text instead. Throws the CRM's errors.
 */
export function checkDraft(org: MappingPorts, tenant: Mapped, text: string | null): Promise<MappingCheck> {
  const { publishedMapping } = tenant;
  const own = publishedMapping === undefined ? null : parsePublished(publishedMapping.version, publishedMapping.text);
  const given = text === null ? null : parsePublished(null, text);
  return checkMappingFile(async () => org, tenant, { own, given });
}
