import type { FieldName } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { forecastDefault } from './forecast.ts';
import { type ReasonField, reasonDefault } from './reasons.ts';

type Default = (status: string | null, config: MappingConfig) => string | readonly string[] | null;

/**
 * For each field whose default the vendor's documents state: the function that returns the default's code, or null if the code is unknown.
 */
const DEFAULTS: { readonly [F in FieldName]?: Default } = {
  forecastCategory: (status, config) => status && forecastDefault(status, config),
  reasonWon: reasonOf('reasonWon'),
  reasonLost: reasonOf('reasonLost'),
};

/**
 * The value that the vendor fills in if Lockstep creates a record without this field (sales spec 2.1, 2.3). Null if the documents state no
 * default, or if its code is unknown. `status`: the vendor's code of the record's status.
 */
export function documentedDefault(
  field: FieldName,
  status: string | null,
  config: MappingConfig,
): string | readonly string[] | null {
  return DEFAULTS[field]?.(status, config) ?? null;
}

function reasonOf(field: ReasonField): Default {
  return (_, config) => {
    const code = reasonDefault(field, config);
    return code === null ? null : [code];
  };
}
