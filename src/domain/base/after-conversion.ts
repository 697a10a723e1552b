import { unsetOf } from '../mapping/index.ts';
import { sameValue } from '../mapping/same-value.ts';
import type { Base } from '../record/base.ts';
import type { FieldName, Observed, OfferLine } from '../record/canonical.ts';
import { FIELD_NAMES } from '../record/fields.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { isLeadId } from '../record/salesforce-id.ts';
import { isLeadStatus } from '../values/status.ts';

/**
 * The base (last agreed values) with the mark that it comes from a lead: the deal has become another record, which has not been compared
 * with this base yet. If that record is the lead into which this one was merged, its line, which has the lead's id, is the same line.
 */
export function converted(base: Base, { leadId, crmId }: { readonly leadId: string; readonly crmId: string }): Base {
  if (!isLeadId(crmId)) return { ...base, fromLead: true };
  const renamed = (id: string | undefined): string | undefined => (id === leadId ? crmId : id);
  const lines = base.crm.offerLines?.map((line) => withId(line, renamed(line.crmLineId)));
  return {
    ...base,
    fromLead: true,
    crm: lines === undefined ? base.crm : { ...base.crm, offerLines: lines },
    linePairs: base.linePairs.map((pair) => ({ ...pair, crmLineId: renamed(pair.crmLineId) ?? pair.crmLineId })),
  };
}

function withId(line: OfferLine, crmLineId: string | undefined): OfferLine {
  return crmLineId === undefined ? line : { ...line, crmLineId };
}

/** The values of the opportunity, and the vendor's status as last read; undefined if it is unknown. */
type Shown = { readonly crm: Observed; readonly status: unknown };

/**
 * The base of a deal after the conversion or merge of its lead, given the new record's values. It carries some fields over and leaves the
 * others empty. A field that it left empty was not cleared by a user, so both sides have never agreed on it: the vendor's value fills it. A
 * different value on the new record is an edit. An opportunity has lines and a stage of its own. A field that cannot be read now keeps the
 * mark. Pure.
 */
export function afterConversion(base: Base, shown: Shown, config: MappingConfig): Base {
  const { fromLead, ...rest } = base;
  if (fromLead === undefined) return base;
  const marked = fromLead === true ? FIELD_NAMES : fromLead;
  const unread = marked.filter((field) => shown.crm[field] === undefined);
  const read = marked.filter((field) => shown.crm[field] !== undefined);
  const empty = read.filter((field) => sameValue(field, shown.crm[field], unsetOf(field), config));
  const next = { ...rest, crm: without(base.crm, empty), ...(unread.length === 0 ? {} : { fromLead: unread }) };
  return config.of === 'lead' ? next : withOwnParts(next, read, shown, config);
}

/** The base without a lead's line and status, which an opportunity has of its own. */
function withOwnParts(base: Base, read: readonly FieldName[], shown: Shown, config: MappingConfig): Base {
  const lines = read.includes('offerLines') ? { crm: without(base.crm, ['offerLines']), linePairs: [] } : {};
  const next = { ...base, ...lines };
  if (!read.includes('status') || next.crm.status === undefined) return next;
  // The first stage may also stand for the lead's status, so nothing counts as agreed on the CRM's status.
  return withFirstStage({ ...next, crm: { ...next.crm, status: null } }, shown, config);
}

function without(record: Observed, fields: readonly FieldName[]): Observed {
  const kept = Object.entries(record).filter(([field]) => !fields.includes(field as FieldName));
  return Object.fromEntries(kept) as Observed;
}

/**
 * The base with the opportunity's present stage as agreed on both sides, if the vendor's status is no longer a lead's. Salesforce gives
 * every new opportunity its first stage, which is therefore no user's edit, so the vendor's status then moves the opportunity.
 */
function withFirstStage(base: Base, { crm, status }: Shown, config: MappingConfig): Base {
  const { status: first } = crm;
  if (typeof status !== 'string' || typeof first !== 'string' || isLeadStatus(status, config)) return base;
  return { ...base, crm: { ...base.crm, status: first }, vendor: { ...base.vendor, status: first } };
}
