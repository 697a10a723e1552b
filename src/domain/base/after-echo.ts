import { sameValue } from '../mapping/index.ts';
import { merge } from '../merge/merge.ts';
import type { Base } from '../record/base.ts';
import { FIELD_NAMES } from '../record/fields.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { VendorObservation } from '../record/observation.ts';
import { withPairs } from './line-pairs.ts';
import { stillDefaulted } from './next-base.ts';
import { lacksReference, recogniseEcho, withAwaitingEcho } from './recognise-echo.ts';

/**
 * The base (last agreed values) after a read of the vendor's record that shows no edit of a vendor user. Such a read shows only echoes
 * (Lockstep's own writes), values that the vendor filled in, and fields that are not synced. Null if the record may contain an edit,
 * because Lockstep must then read the CRM too.
 */
export function baseAfterEcho(base: Base, vendor: VendorObservation, config: MappingConfig): Base | null {
  if (lacksReference(base, vendor) || base.inDoubtCrmWrites !== undefined) return null;
  const echo = recogniseEcho(base, vendor, config);
  const { news, ignoredBySide, retained, normalised } = echo;
  if (ignoredBySide.length + retained.length + normalised.length > 0) return null;
  if (showsCrm(base, echo.base, config)) return null;
  const merged = merge({
    base: echo.base,
    crm: {},
    vendor: news.record,
    filledIn: news.filledIn,
    untranslatable: new Set(),
    crmChange: { after: null, until: null },
    vendorChange: { after: null, until: null },
    pick: null,
    config,
  });
  const isNews =
    merged.issues.length > 0 ||
    merged.decisions.some((item) => item.verdict !== 'defaulted' && item.verdict !== 'ignored');
  if (isNews) return null;
  const defaulted = merged.decisions.filter((item) => item.verdict === 'defaulted').map((item) => item.field);
  const next: Base = {
    ...echo.base,
    vendor: { ...echo.base.vendor, ...news.record },
    defaulted: [...new Set([...stillDefaulted(base, merged), ...defaulted])],
    vendorVersion: news.version ?? base.vendorVersion,
  };
  return withAwaitingEcho(withPairs(next, echo.base), echo.awaitingEcho);
}

/**
 * Whether a read of the vendor's record has changed the CRM values that are stored in the base (last agreed values). `before`, `after`: the
 * base before and after the read. If the read shows that the vendor applied a write without an answer, the CRM values that were sent become
 * agreed values. Lockstep must then read the CRM, because the CRM's value may have changed since that write.
 */
function showsCrm(before: Base, after: Base, config: MappingConfig): boolean {
  return FIELD_NAMES.some((field) => !sameValue(field, before.crm[field], after.crm[field], config));
}
