import type { MappingConfig } from './mapping-config.ts';
import { merge } from './merge.ts';
import type { Base, VendorObservation } from './plan.ts';
import { referenceKind } from './reference.ts';

/**
 * The base after a vendor reading that brings no news: our own write seen coming back, a value the vendor filled in
 * by default, or a change of a field that does not travel. Null when the reading does bring news and the CRM has to
 * be looked at.
 */
export function baseAfterEcho(base: Base, vendor: VendorObservation, config: MappingConfig): Base | null {
  if (referenceKind(vendor.reference) === 'none') return null;
  const merged = merge({
    base,
    crm: {},
    vendor: vendor.record,
    untranslatable: new Set(),
    crmChange: { after: null, until: null },
    vendorChange: { after: null, until: null },
    config,
  });
  const news = merged.decisions.some((item) => item.verdict !== 'defaulted' && item.verdict !== 'ignored');
  if (news) return null;
  const defaulted = merged.decisions.filter((item) => item.verdict === 'defaulted').map((item) => item.field);
  return {
    ...base,
    vendor: { ...base.vendor, ...vendor.record },
    defaulted: [...new Set([...base.defaulted, ...defaulted])],
    unconfirmed: [],
    vendorVersion: vendor.version ?? base.vendorVersion,
  };
}
