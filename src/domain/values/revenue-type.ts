import type { MappingConfig } from '../mapping/config.ts';
import { own } from './own.ts';

/**
 * Revenue types of the deprecated v0 interface (sales spec 2.5). The v1 list is not shown: none of these is sent to
 * v1 unless the tenant file maps it.
 */
export const REVENUE_TYPES_V0 = [
  'UPFRONT',
  'RENTAL_BOOKING',
  'SUPPORT_SERVICES',
  'SERVICES_SIGNING',
] as const;

/** What the CRM's value means: the tenant's v1 code for a value it maps, any other value as it is. */
export function readRevenueType(value: string, config: MappingConfig): string {
  return own(config.values.revenueType, value) || value;
}

/** True for a v1 code: one that the tenant file gives, or that the vendor itself has shown on this record. */
export function isRevenueCode(code: string, config: MappingConfig, shown: ReadonlySet<string>): boolean {
  return shown.has(code) || Object.values(config.values.revenueType).includes(code);
}
