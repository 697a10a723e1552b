import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import type { KeyDifference } from '../../platform/differences.ts';
import { mappingDifference } from '../../platform/mapping-difference.ts';
import type { MappingFile } from '../../platform/mapping-file.ts';
import { USUAL_MAPPING, withMappingFile } from '../../platform/mapping-layers.ts';
import { DEFAULT_MAPPING_TEXT, mappingText } from '../../platform/mapping-text.ts';
import type { Problem } from '../../platform/problems.ts';
import { plainMappingOf } from '../../platform/published-mapping.ts';
import type { Tenant } from '../../platform/tenant.ts';

/** The result of reading a mapping file: the usable file, or its problems. */
export type ReadMapping = MappingFile | { readonly problems: readonly Problem[] };

export type MappingShown = {
  readonly shape: 'mapping/1';
  /** The tenant's name; null for the default mapping. */
  readonly tenant: string | null;
  readonly text: string;
};

export type MappingDiffers = {
  readonly shape: 'mapping-diff/1';
  readonly tenant: string;
  readonly differences: readonly KeyDifference[];
};

/** A mapping file that cannot be used. The message has one line for each problem. */
export class UnusableMapping extends Error {
  override readonly name = 'UnusableMapping';
}

type Mapped = Pick<Tenant, 'tenant' | 'mapping' | 'plainMapping' | 'publishedMapping'>;

export function showDefaultMapping(): MappingShown {
  return { shape: 'mapping/1', tenant: null, text: DEFAULT_MAPPING_TEXT };
}

/**
 * Shows a tenant's whole mapping in the form of a mapping file. With `given`, shows the mapping that the tenant would have if `given` were
 * its own mapping file. Throws `UnusableMapping`.
 */
export function showMapping(own: Mapped, given: ReadMapping | null): MappingShown {
  const mapping = given === null ? own.mapping : mappingWith(own, given);
  return {
    shape: 'mapping/1',
    tenant: own.tenant,
    text: mappingText(mapping, `The mapping of ${own.tenant}.`),
  };
}

/**
 * Lists the differences between two mappings. With `given`, compares the mapping in `given` with the tenant's mapping. Without it, compares
 * the tenant's mapping with the default mapping. Throws `UnusableMapping`.
 */
export function diffMapping(own: Mapped, given: ReadMapping | null): MappingDiffers {
  const differences =
    given === null
      ? mappingDifference(USUAL_MAPPING, own.mapping)
      : mappingDifference(own.mapping, mappingWith(own, given));
  return { shape: 'mapping-diff/1', tenant: own.tenant, differences };
}

/**
 * The mapping that a tenant would have if `given` were its own mapping file. Ignores the tenant's published mapping, which would otherwise
 * replace the file. Throws `UnusableMapping`.
 */
export function mappingWith(tenant: Omit<Mapped, 'tenant'>, given: ReadMapping): MappingConfig {
  if ('overrides' in given) return withMappingFile(plainMappingOf(tenant), given.overrides);
  throw new UnusableMapping(given.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'));
}
