import type { OfferLine, Text } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { own } from './own.ts';

/**
 * Translates a revenue type of the CRM: if the tenant file has a vendor's code for it, returns the code; otherwise returns the value
 * unchanged.
 */
export function readRevenueType(value: string, config: MappingConfig): string {
  return own(config.values.revenueType, value) || value;
}

/**
 * The codes of revenue types for version 0 of the vendor's API (sales spec 2.5). The documents do not say which of them exist in version 1.
 */
const SHOWN_CODES: readonly string[] = ['UPFRONT', 'RENTAL_BOOKING', 'SUPPORT_SERVICES', 'SERVICES_SIGNING'];

/** Whether the vendor's documents or the tenant file contain a code of a revenue type. */
export function isKnownRevenueType(code: string, config: MappingConfig): boolean {
  return SHOWN_CODES.includes(code) || Object.values(config.values.revenueType).includes(code);
}

/**
 * Whether the vendor accepts a code of a revenue type. It does if the tenant file has the code, if the vendor has shown it on this record
 * (`observed`), or if it is documented for the tenant's version of the API. For version 1, no code is documented.
 */
export function isRevenueCode(code: string, config: MappingConfig, observed: ReadonlySet<Text>): boolean {
  if (config.apiVersion === 'v0' && SHOWN_CODES.includes(code)) return true;
  return observed.has(code) || Object.values(config.values.revenueType).includes(code);
}

/** The codes of revenue types in these lines of a vendor record, each once. Contains null if a line has no code. */
export function shownRevenueCodes(lines: readonly OfferLine[] | undefined): ReadonlySet<Text> {
  return new Set(lines?.map(({ revenueType }) => revenueType));
}
