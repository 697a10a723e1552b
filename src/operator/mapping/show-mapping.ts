import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import { type MappingDifference, mappingDifference } from '../../platform/mapping-difference.ts';
import type { MappingFile } from '../../platform/mapping-file.ts';
import { USUAL_MAPPING, withMappingFile } from '../../platform/mapping-layers.ts';
import { DEFAULT_MAPPING_TEXT, mappingText } from '../../platform/mapping-text.ts';
import type { Problem } from '../../platform/problems.ts';

/** A mapping file as it was read: one that can be used, or what is wrong with it. */
export type ReadMapping = MappingFile | { readonly problems: readonly Problem[] };

export type MappingShown = {
  readonly shape: 'mapping/1';
  /** Null: that of a tenant that names no file. */
  readonly tenant: string | null;
  /** A mapping file. */
  readonly text: string;
};

export type MappingDiffers = {
  readonly shape: 'mapping-diff/1';
  readonly tenant: string;
  readonly differences: readonly MappingDifference[];
};

/** A mapping file that cannot be used; the message has a line for each problem. */
export class UnusableMapping extends Error {
  override readonly name = 'UnusableMapping';
}

type Mapped = { readonly tenant: string; readonly mapping: MappingConfig };

/** The default mapping, as a mapping file. */
export function showDefaultMapping(): MappingShown {
  return { shape: 'mapping/1', tenant: null, text: DEFAULT_MAPPING_TEXT };
}

/** The whole mapping of a tenant as a mapping file, with `given` in the place of its own. Throws `UnusableMapping`. */
export function showMapping(own: Mapped, given: ReadMapping | null): MappingShown {
  const mapping = given === null ? own.mapping : mappingWith(own, given);
  return {
    shape: 'mapping/1',
    tenant: own.tenant,
    text: mappingText(mapping, `The mapping of ${own.tenant}.`),
  };
}

/** The mapping in force against the default one; or that of `given` against the one in force. Throws `UnusableMapping`. */
export function diffMapping(own: Mapped, given: ReadMapping | null): MappingDiffers {
  const differences =
    given === null
      ? mappingDifference(USUAL_MAPPING, own.mapping)
      : mappingDifference(own.mapping, mappingWith(own, given));
  return { shape: 'mapping-diff/1', tenant: own.tenant, differences };
}

/** A tenant's mapping with a file in the place of its own. Throws `UnusableMapping`. */
export function mappingWith({ mapping }: Pick<Mapped, 'mapping'>, given: ReadMapping): MappingConfig {
  if ('overrides' in given) return withMappingFile(mapping, given.overrides);
  throw new UnusableMapping(
    given.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'),
  );
}
