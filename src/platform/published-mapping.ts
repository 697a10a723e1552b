import { createHash } from 'node:crypto';
import { type MappingFile, parseMappingFile } from './mapping-file.ts';
import { withMappingFile } from './mapping-layers.ts';
import { mappingText } from './mapping-text.ts';
import type { MappingVersion } from './mapping-version.ts';
import type { Problem } from './problems.ts';
import { MAX_YAML_BYTES } from './regular-file.ts';
import type { Tenant } from './tenant.ts';

type Mapped = Pick<Tenant, 'mapping' | 'plainMapping' | 'publishedMapping'>;

/**
 * The tenant with the newest published version of its mapping that this process can decrypt. If that version restores the mapping in the
 * tenant's files, the mapping stays as it is. Returns problems if the process can decrypt no version, or if the text of the version is not
 * a valid mapping file.
 */
export function withPublished(
  tenant: Tenant,
  { version: newest, openedInstead, content }: MappingVersion,
): { readonly tenant: Tenant } | { readonly problems: readonly Problem[] } {
  if (content === null) return { problems: [{ file: '', line: 1, message: notOpened(newest) }] };
  const version = openedInstead ?? newest;
  const unopened = openedInstead === undefined ? {} : { unopenedMapping: { version: newest, applies: version } };
  const { text } = content;
  if (text === null) return { tenant: { ...tenant, ...unopened } };
  const parsed = parsePublished(version, text);
  if ('problems' in parsed) return parsed;
  const mapping = withMappingFile(plainMappingOf(tenant), parsed.overrides);
  return {
    tenant: { ...tenant, mapping, publishedMapping: { version, text, filesMapping: tenant.mapping }, ...unopened },
  };
}

/** Parses the text of a published version, or of a draft (`version` null), as a mapping file. */
export function parsePublished(
  version: number | null,
  text: string,
): MappingFile | { readonly problems: readonly Problem[] } {
  const name = version === null ? 'draft' : `version ${version}`;
  if (Buffer.byteLength(text) > MAX_YAML_BYTES)
    return { problems: [{ file: name, line: 1, message: 'the mapping is larger than 256 KiB: write it shorter' }] };
  return parseMappingFile(name, text);
}

/** The mapping that the tenant would have without a mapping file and without a published version. */
export function plainMappingOf({ mapping, plainMapping, publishedMapping }: Mapped): Tenant['mapping'] {
  return plainMapping ?? publishedMapping?.filesMapping ?? mapping;
}

/** The mapping in the tenant's files, without any published version. */
export function filesMappingOf({ mapping, publishedMapping }: Mapped): Tenant['mapping'] {
  return publishedMapping?.filesMapping ?? mapping;
}

/** A digest of the mapping in the tenant's files. It shows later whether the files changed after a publication. */
export function filesDigest(tenant: Mapped): string {
  return createHash('sha256')
    .update(mappingText(filesMappingOf(tenant), ''))
    .digest('hex');
}

function notOpened(version: number): string {
  return `version ${version} of its mapping does not open with the sealing keys of this process, or it was changed in another way than by lockstep mapping: give the process the key that it was sealed with, or publish the mapping again`;
}
