import { decide } from '../../../src/domain/decide/decide.ts';
import { holdOfWrite } from '../../../src/domain/decide/holds.ts';
import type { CrmSide, DecideInput, VendorSide } from '../../../src/domain/decide/input.ts';
import { pairLines } from '../../../src/domain/lines/pair-lines.ts';
import { observeCrm } from '../../../src/domain/mapping/index.ts';
import type { MergeInput } from '../../../src/domain/merge/merge-types.ts';
import type { Base } from '../../../src/domain/record/base.ts';
import { EMPTY_BASE } from '../../../src/domain/record/base.ts';
import type { Observed } from '../../../src/domain/record/canonical.ts';
import type { CrmFields, CrmGraph } from '../../../src/domain/record/crm-graph.ts';
import type { CrmLimits } from '../../../src/domain/record/crm-limits.ts';
import type { Held, Issue } from '../../../src/domain/record/issue.ts';
import type { Link } from '../../../src/domain/record/link.ts';
import type { VendorObservation } from '../../../src/domain/record/observation.ts';
import type { CrmImport, CrmUpdate, Plan, VendorUpdate, WritePlan } from '../../../src/domain/record/plan.ts';
import { crmGraph, mappingConfig } from '../mapping/fixtures.ts';

export const REFERENCE = '006000000000001AAA';
export const V1 = '2026-03-01T09:00:00.000Z';
export const V2 = '2026-03-01T11:00:00.000Z';

/** A record as the CRM shows it: each line's id is made of its place and offer, because a line never changes its product. */
export function inCrm(record: Observed): Observed {
  if (record.offerLines === undefined) return record;
  const offerLines = record.offerLines.map((line, at) => ({
    crmLineId: `L${at} ${line.offerNameId}`,
    ...line,
  }));
  return { ...record, offerLines };
}

/** A base in which both sides have the same values. */
export function agreedBase(record: Observed, change: Partial<Base> = {}): Base {
  const crm = inCrm(record);
  const linePairs = pairLines(crm.offerLines ?? [], record.offerLines ?? [], []);
  return { ...EMPTY_BASE, crm, vendor: record, linePairs, crmVersion: V1, vendorVersion: V1, ...change };
}

/** A merge of two sides over their agreed base. */
export function mergeInput(
  agreed: Observed | null,
  crm: Observed,
  vendor: Observed,
  change: Partial<MergeInput> = {},
): MergeInput {
  return {
    base: agreed === null ? null : agreedBase(agreed),
    crm: inCrm(crm),
    vendor,
    untranslatable: new Set(),
    pick: null,
    crmChange: { after: null, until: null },
    vendorChange: { after: null, until: null },
    config: mappingConfig(),
    ...change,
  };
}

/** The default deal of the fixtures, as the CRM shows it. */
export function usualRecord(opportunity: CrmFields = {}, parts: Partial<CrmGraph> = {}): Observed {
  return observeCrm(crmGraph(opportunity, parts), mappingConfig()).record;
}

export function vendorReading(record: Observed, change: Partial<VendorObservation> = {}): VendorObservation {
  return {
    record,
    vendorId: 'DS-1',
    reference: REFERENCE,
    readOnly: {},
    unknownFields: [],
    version: V2,
    readAt: '2026-03-01T11:00:01.000Z',
    ...change,
  };
}

/** The default deal at the vendor after its users changed it. */
export function theirs(change: Observed, more: Partial<VendorObservation> = {}): VendorObservation {
  return vendorReading({ ...usualRecord(), ...change }, more);
}

export type Given = {
  readonly opportunity?: CrmFields;
  readonly graph?: Partial<CrmGraph>;
  readonly link?: Partial<DecideInput['link']>;
  /** A vendor read, the reason why there is none, or an unclear search result; unread if absent. */
  readonly vendor?: VendorObservation | 'missing' | Issue;
  /** Why there is no CRM record; the default deal if absent. */
  readonly crm?: 'missing' | 'unlinked';
  readonly config?: DecideInput['config'];
  readonly importFromVendor?: boolean;
  readonly sendsRefusedAgain?: boolean;
  readonly isManual?: boolean;
  readonly crmHistory?: DecideInput['crmHistory'];
  readonly unknownOffers?: ReadonlySet<string>;
  readonly crmLimits?: CrmLimits;
  readonly ambiguity?: DecideInput['ambiguity'];
  readonly isOfAnotherOrg?: true;
};

/** The ledger's link of the default deal, in agreement, with changes. */
export function linkSample(change: Partial<Link> = {}): Link {
  return {
    tenant: 'acme',
    key: REFERENCE,
    crmId: REFERENCE,
    vendorId: 'DS-1',
    state: 'in-sync',
    base: agreedBase(usualRecord()),
    vendorObservation: vendorReading(usualRecord()),
    vendorInDoubt: 'no',
    adoptingSince: null,
    generation: 1,
    observedGeneration: 1,
    vendorDue: false,
    issues: [],
    waitingSince: null,
    waitingFor: null,
    failingSince: null,
    retryAt: null,
    reported: null,
    updatedAt: V1,
    version: 0,
    ...change,
  };
}

/** A link whose base is the default deal, with changes. */
export function baseWith(change: Partial<Base>): NonNullable<Given['link']> {
  return { base: agreedBase(usualRecord(), change) };
}

/** The journal's row of one field. */
export function rowOf(plan: Plan, field: string): Plan['decisions'][number] | undefined {
  return plan.decisions.find((row) => row.field === field);
}

/** The hold that a refusal of this plan leaves. */
export function refusedAs(plan: AnyPlan): Held {
  if (!('intent' in plan || 'write' in plan || 'create' in plan)) throw new Error('nothing is sent');
  return holdOfWrite(plan as WritePlan);
}

/** A plan with access to every part; parts that its kind lacks are undefined. */
export type AnyPlan = Plan &
  Partial<Pick<CrmUpdate, 'write' | 'baseBefore' | 'baseAfter'>> &
  Partial<Pick<CrmImport, 'create'>> &
  Partial<Pick<VendorUpdate, 'intent' | 'savedAt'>>;

/** The decision about the default deal, linked and in agreement, with changes. */
export function decideOn(given: Given = {}): AnyPlan {
  const config = given.config ?? mappingConfig();
  const { vendor } = given;
  return decide({
    link: {
      crmId: REFERENCE,
      vendorId: 'DS-1',
      base: agreedBase(usualRecord()),
      state: 'in-sync',
      vendorInDoubt: 'no',
      adoptingSince: null,
      issues: [],
      reference: REFERENCE,
      ...given.link,
    },
    crm: crmSide(given, config),
    vendor: vendor === undefined ? { kind: 'unread' } : vendorSide(vendor),
    config,
    importFromVendor: given.importFromVendor ?? true,
    sendsRefusedAgain: given.sendsRefusedAgain ?? false,
    crmHistory: given.crmHistory ?? null,
    isManual: given.isManual ?? false,
    unknownOffers: given.unknownOffers ?? new Set(),
    crmLimits: given.crmLimits ?? {},
    ambiguity: given.ambiguity ?? null,
    ...(given.isOfAnotherOrg && { isOfAnotherOrg: true }),
  });
}

/** Like `decideOn`, for a decision of this kind; throws if it is of another kind. */
export function decideTo<S extends Plan['next']>(next: S, given: Given = {}): Extract<Plan, { next: S }> {
  const plan: Plan = decideOn(given);
  if (plan.next !== next) throw new Error(`decided ${plan.next} (${plan.reason}), not ${next}`);
  return plan as Extract<Plan, { next: S }>;
}

function crmSide({ crm, opportunity, graph }: Given, config: DecideInput['config']): CrmSide {
  if (crm !== undefined) return { kind: crm };
  return { kind: 'observed', observation: observeCrm(crmGraph(opportunity, graph), config) };
}

function vendorSide(vendor: NonNullable<Given['vendor']>): VendorSide {
  if (vendor === 'missing') return { kind: vendor };
  return 'code' in vendor ? { kind: 'unclear', issue: vendor } : { kind: 'observed', observation: vendor };
}
