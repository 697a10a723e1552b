import type { OfferLine, Text } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { own } from './own.ts';

/** Translates a CRM value: a value with a code in the tenant file becomes this code, any other value stays. */
export function readRevenueType(value: string, config: MappingConfig): string {
  return own(config.values.revenueType, value) || value;
}

/** The codes of v0 (sales spec 2.5). The documents do not say which of them v1 has. */
const SHOWN_CODES: readonly string[] = ['UPFRONT', 'RENTAL_BOOKING', 'SUPPORT_SERVICES', 'SERVICES_SIGNING'];

/** Whether the documents or the tenant file contain a code. */
export function isKnownRevenueType(code: string, config: MappingConfig): boolean {
  return SHOWN_CODES.includes(code) || Object.values(config.values.revenueType).includes(code);
}

/**
 * Whether the vendor accepts a code: it is in the tenant file, the vendor has shown it on this record, or it is documented for the tenant's
 * version of the API. The documents list no code of v1.
 */
export function isRevenueCode(code: string, config: MappingConfig, observed: ReadonlySet<Text>): boolean {
  if (config.apiVersion === 'v0' && SHOWN_CODES.includes(code)) return true;
  return observed.has(code) || Object.values(config.values.revenueType).includes(code);
}

/** The v1 codes of these vendor lines, each once; contains null if a line has no code. */
export function shownRevenueCodes(lines: readonly OfferLine[] | undefined): ReadonlySet<Text> {
  return new Set(lines?.map(({ revenueType }) => revenueType));
}
