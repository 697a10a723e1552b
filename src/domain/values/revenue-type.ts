import type { OfferLine, Text } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { own } from './own.ts';

/** What the CRM's value means: the tenant's v1 code for a value it maps, any other value as it is. */
export function readRevenueType(value: string, config: MappingConfig): string {
  return own(config.values.revenueType, value) || value;
}

/** The codes of v0 (sales spec 2.5); which of them v1 has too is not shown. */
const SHOWN_CODES: readonly string[] = ['UPFRONT', 'RENTAL_BOOKING', 'SUPPORT_SERVICES', 'SERVICES_SIGNING'];

/** Whether the documents or the tenant file name a code. */
export function isKnownRevenueType(code: string, config: MappingConfig): boolean {
  return SHOWN_CODES.includes(code) || Object.values(config.values.revenueType).includes(code);
}

/**
 * True for a v1 code: one that the tenant file gives, or that the vendor itself has shown on this record. The v1 list is
 * not shown, and a code of v0 (sales spec 2.5) is none.
 */
export function isRevenueCode(code: string, config: MappingConfig, observed: ReadonlySet<Text>): boolean {
  return observed.has(code) || Object.values(config.values.revenueType).includes(code);
}

/** The v1 codes that these lines of the vendor show, and null where one has none. */
export function shownRevenueCodes(lines: readonly OfferLine[] | undefined): ReadonlySet<Text> {
  return new Set(lines?.map(({ revenueType }) => revenueType));
}
