import { baseAfterEcho } from '../base/after-echo.ts';
import { baseAfterRestore, isOlderThanKnown } from '../base/after-restore.ts';
import { withCrmWritesResolved } from '../base/in-doubt-writes.ts';
import { withCreatedLineIds } from '../base/line-pairs.ts';
import { linkedReading } from '../base/linked-reading.ts';
import { recogniseEcho } from '../base/recognise-echo.ts';
import { withFilledIn } from '../merge/filled-in.ts';
import { merge } from '../merge/merge.ts';
import type { Merge, MergeInput } from '../merge/merge-types.ts';
import type { Base } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import type { FieldVerdict } from '../record/field-decision.ts';
import { FIELD_NAMES } from '../record/fields.ts';
import { type Issue, isOpen } from '../record/issue.ts';
import type { Link } from '../record/link.ts';
import { isWaiting } from '../record/link-state.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { CrmObservation, VendorObservation } from '../record/observation.ts';
import { scopeOf } from '../record/scope.ts';

/** The part of a link (the stored pair of CRM record and vendor record) that an audit compares with the present records of both sides. */
export type AgreedLink = Pick<
  Link,
  | 'state'
  | 'crmId'
  | 'vendorId'
  | 'base'
  | 'issues'
  | 'generation'
  | 'observedGeneration'
  | 'vendorDue'
  | 'vendorInDoubt'
  | 'vendorObservation'
>;

/**
 * Why an audit does not compare a linked pair. `under-way`: a known change is not synced yet, or the result of a write is not known yet.
 * `explained`: an issue of the pair waits for a user or operator, or the vendor's record belongs to an opportunity of another org.
 */
export type NotCompared = 'under-way' | 'explained';

/** Why an audit cannot compare a linked pair; null if it can compare both records with the values on which the sides last agreed. */
export function notCompared(link: AgreedLink): NotCompared | null {
  if (link.generation !== link.observedGeneration || link.vendorDue || link.vendorInDoubt !== 'no') return 'under-way';
  if (link.issues.some(({ code }) => code === 'tried-again')) return 'under-way';
  if (isWaiting(link.state) && link.issues.some((issue) => issue.field === null && isOpen(issue))) return 'explained';
  if (link.state === 'detached') return null;
  if (link.state === 'elsewhere') return 'explained';
  if (link.base === null) return isWaiting(link.state) ? 'explained' : 'under-way';
  return link.base.inDoubtCrmWrites === undefined ? null : 'under-way';
}

/**
 * Names of the fields that CRM users changed since the base (the last agreed values), without fields whose difference an open issue
 * explains. If the record began or ceased to be shared with the vendor, for example because a user deleted it, returns only
 * `Vendor_Share__c`. Pure.
 */
export function unseenInCrm(link: AgreedLink, shown: CrmObservation, config: MappingConfig): readonly string[] {
  const { inScope } = scopeOf(shown.graph.opportunity);
  if (inScope === (link.state === 'detached')) return ['Vendor_Share__c'];
  if (!inScope || link.base === null) return [];
  const crm = linkedReading(shown, link.base, config);
  const base = withCreatedLineIds(withCrmWritesResolved(link.base, crm, config), crm.record);
  const merged = merge({ ...NO_SIDES, base, crm: crm.record, config });
  return unexplained(merged, [...link.issues, ...crm.issues], link.base);
}

/**
 * What a read of the vendor's record shows that the ledger (Lockstep's database) does not know yet. `fields`: names of the changed fields,
 * without fields whose difference an open issue explains.
 */
export type VendorNews = {
  readonly fields: readonly string[];
  /** Whether the vendor's record has another version than in the last read that the ledger stores. */
  readonly isNews: boolean;
  /**
   * Whether the vendor shows an older state of its record than Lockstep has read before. The audit reports this as a cause of its own,
   * because a sync would ignore the older version as a stale read.
   */
  readonly isRestored: boolean;
};

/**
 * Compares the vendor's record with the base (the last agreed values), to find the fields that vendor users changed. Finds nothing if there
 * is no base, or if the deal is not shared any more. Pure.
 */
export function unseenAtVendor(link: AgreedLink, shown: VendorObservation, config: MappingConfig): VendorNews {
  const { base: agreed, vendorObservation: known } = link;
  if (agreed === null || link.state === 'detached') return { fields: [], isNews: false, isRestored: false };
  const vendor = withFilledIn(shown, link);
  const isRestored = isOlderThanKnown(agreed, vendor);
  const base = isRestored ? baseAfterRestore(agreed) : agreed;
  const compared = { isNews: vendor.version !== known?.version, isRestored };
  if (baseAfterEcho(base, vendor, config) !== null) return { ...compared, fields: [] };
  const echo = recogniseEcho(base, vendor, config);
  const { record, filledIn } = echo.news;
  const merged = merge({ ...NO_SIDES, base: echo.base, vendor: record, filledIn, config });
  return { ...compared, fields: unexplained(merged, link.issues, agreed) };
}

const NO_SIDES: Omit<MergeInput, 'base' | 'config'> = {
  crm: {},
  vendor: {},
  untranslatable: new Set<FieldName>(),
  crmChange: { after: null, until: null },
  vendorChange: { after: null, until: null },
  pick: null,
};

/**
 * The results of a field's comparison after which Lockstep writes nothing and no user must act. An audit reports no difference for them.
 */
const AGREED: ReadonlySet<FieldVerdict> = new Set(['same', 'ignored', 'defaulted']);
/** Codes of issues that block nothing and still explain why a field differs between the sides. */
const TOLERATED: ReadonlySet<Issue['code']> = new Set(['forecast-of-vendor']);

function unexplained({ decisions }: Merge, issues: readonly Issue[], { held = {} }: Base): readonly FieldName[] {
  const compared = issues.filter((issue) => isOpen(issue) || TOLERATED.has(issue.code));
  const explained = new Set<string | null>([...compared.map(({ field }) => field), ...Object.keys(held)]);
  if (explained.has(null)) return [];
  const differing = new Set(decisions.filter(({ verdict }) => !AGREED.has(verdict)).map(({ field }) => field));
  return FIELD_NAMES.filter((field) => differing.has(field) && !explained.has(field));
}
