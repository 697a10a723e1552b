import type { MappingConfig } from '../mapping/config.ts';
import type { FieldName } from '../record/canonical.ts';
import { forecastDefault } from './forecast.ts';
import { reasonDefault } from './reasons.ts';

/**
 * What the vendor documents to fill in when a field is not sent at creation (sales spec 2.1, 2.3); null where it
 * names no value, or one whose code is not known. `status` is the vendor's code.
 */
export function documentedDefault(
  field: FieldName,
  status: string | null,
  config: MappingConfig,
): string | readonly string[] | null {
  if (field === 'forecastCategory') return status === null ? null : forecastDefault(status, config);
  if (field !== 'reasonWon' && field !== 'reasonLost') return null;
  const code = reasonDefault(field, config);
  return code === null ? null : [code];
}
