import type { FieldName } from '../../domain/record/canonical.ts';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import type { MappingLedger } from '../../ledger/tenants/mapping-ledger.ts';
import type { KeyDifference } from '../../platform/differences.ts';
import { mappingDifference } from '../../platform/mapping-difference.ts';
import type { MappingVersion } from '../../platform/mapping-version.ts';
import { filesDigest, filesMappingOf, parsePublished } from '../../platform/published-mapping.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { fieldsToBackfill } from './fields-to-backfill.ts';
import { mappingWith } from './show-mapping.ts';

export type VersionShown = {
  readonly version: number;
  readonly publishedAt: string;
  /** Who published the version; null if this process's keys cannot decrypt it. */
  readonly by: string | null;
  readonly reason: string | null;
  readonly takenBackTo: number | null;
  /** True if this version has no mapping of its own, but lets the mapping in the tenant's files apply again. */
  readonly isOfFiles: boolean;
  /**
   * The differences between this version's mapping and the mapping before it. For the first version, the mapping in the tenant's files is
   * the one before it. For a later version, it is the mapping of the previous version. Null if this process cannot read this version's
   * mapping or the one before it.
   */
  readonly differences: readonly KeyDifference[] | null;
};

export type MappingVersions = {
  readonly shape: 'mapping-versions/1';
  readonly tenant: string;
  /** The newest version, 0 if none was published. */
  readonly current: number;
  /** The version whose mapping applies: the newest one that this process can decrypt; 0 if there is none. */
  readonly applies: number;
  /**
   * Whether the tenant's files were changed after the last publication. Such a change has no effect, because the published version applies.
   */
  readonly areFilesNewer: boolean;
  /**
   * Fields that the newest version treats differently, without an immediate effect on linked deals: each deal keeps its values until the
   * field changes again or an operator starts a backfill.
   */
  readonly toBackfill: readonly FieldName[];
  /** The published versions, newest first. */
  readonly versions: readonly VersionShown[];
};

type Mapped = Pick<Tenant, 'tenant' | 'mapping' | 'plainMapping' | 'publishedMapping' | 'imports'>;

/** Lists a tenant's published mappings, each with the settings that it changed. `limit`: the maximum number of versions to return. */
export async function listMappingVersions(
  ledger: Pick<MappingLedger, 'mappingVersions'>,
  tenant: Mapped,
  limit: number,
): Promise<MappingVersions> {
  const found = await ledger.mappingVersions(tenant.tenant, limit + 1);
  const [newest] = found;
  return {
    shape: 'mapping-versions/1',
    tenant: tenant.tenant,
    current: newest?.version ?? 0,
    applies: found.find(({ content }) => content !== null)?.version ?? 0,
    areFilesNewer: newest?.content?.text != null && newest.content.files !== filesDigest(tenant),
    toBackfill: toBackfill(tenant, found),
    versions: found.slice(0, limit).map((one, place) => shown(tenant, one, found[place + 1] ?? null)),
  };
}

function toBackfill(tenant: Mapped, [newest, before]: readonly MappingVersion[]): readonly FieldName[] {
  if (newest === undefined) return [];
  const [older, own] = [mappingOf(tenant, before ?? null), mappingOf(tenant, newest)];
  return older === null || own === null ? [] : fieldsToBackfill(older, own);
}

function shown(tenant: Mapped, one: MappingVersion, before: MappingVersion | null): VersionShown {
  const { version, publishedAt, content } = one;
  const [older, own] = [mappingOf(tenant, before), mappingOf(tenant, one)];
  return {
    ...{ version, publishedAt, by: content?.by ?? null, reason: content?.reason ?? null },
    ...{ takenBackTo: content?.takenBackTo ?? null, isOfFiles: content !== null && content.text === null },
    differences: older === null || own === null ? null : mappingDifference(older, own),
  };
}

/** The mapping of a published version, or of the tenant's files if `found` is null. Null if the mapping cannot be read. */
function mappingOf(tenant: Mapped, found: MappingVersion | null): MappingConfig | null {
  if (found === null) return filesMappingOf(tenant);
  if (found.content === null) return null;
  if (found.content.text === null) return filesMappingOf(tenant);
  const parsed = parsePublished(found.version, found.content.text);
  return 'problems' in parsed ? null : mappingWith(tenant, parsed);
}
