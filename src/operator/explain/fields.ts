import { linkedReading } from '../../domain/base/linked-reading.ts';
import { createdFields } from '../../domain/mapping/crm/created-fields.ts';
import { sameValue, unsetOf } from '../../domain/mapping/index.ts';
import { leadFieldOf } from '../../domain/mapping/leads/lead-fields.ts';
import type { FieldName, Observed } from '../../domain/record/canonical.ts';
import type { CrmFieldChange } from '../../domain/record/crm-graph.ts';
import { FIELD_NAMES } from '../../domain/record/fields.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import { crmFieldOf, directionOf, type MappingConfig, ruleOf } from '../../domain/record/mapping-config.ts';
import { crmVersionOf } from '../../domain/record/observation.ts';
import type { Plan } from '../../domain/record/plan.ts';
import { toId18 } from '../../domain/record/salesforce-id.ts';
import type { ObservedDeal } from '../../observe/observe-deal.ts';
import type { ExplainedField, FieldValues, SideChange } from './explanation.ts';

export type FieldInput = {
  /** The deal as the CRM and the vendor show it; null if either could not be read. */
  readonly deal: ObservedDeal | null;
  readonly history: readonly CrmFieldChange[];
  /** The record's journal (log of Lockstep's decisions and writes), newest line first. */
  readonly journal: readonly JournalEntry[];
  readonly config: MappingConfig;
  readonly only: FieldName | null;
  readonly withValues: boolean;
};

/**
 * Explains each field, in the order of the mapping: how the CRM and the vendor changed it, what was decided, and how the last write was
 * answered. Pure.
 */
export function explainFields(input: FieldInput): readonly ExplainedField[] {
  const names = input.only === null ? FIELD_NAMES : [input.only];
  const deal = input.deal && asCompared(input.deal, input.config);
  return names.map((field) => explainField(field, { ...input, deal }));
}

/**
 * Converts the CRM's values in a deal to the form of the base (the values on which CRM and vendor last agreed). Only then can the two be
 * compared.
 */
function asCompared(deal: ObservedDeal, config: MappingConfig): ObservedDeal {
  const { crm, link } = deal;
  if (crm.kind !== 'observed' || link.vendorId === null) return deal;
  return { ...deal, crm: { ...crm, observation: linkedReading(crm.observation, link.base, config) } };
}

function explainField(field: FieldName, input: FieldInput): ExplainedField {
  const { deal, config, withValues } = input;
  const decision = deal?.plan.decisions.find((item) => item.field === field);
  const isSent = deal !== null && sentFields(deal.plan, config).includes(field);
  const plain = deal === null || deal.plan.next === 'detached' ? null : 'unchanged';
  const verdict = decision?.verdict ?? (isSent ? 'sent' : plain);
  return {
    field,
    crmField: shownField(crmFieldOf(field, config), config),
    direction: directionOf(field, config),
    conflictRule: ruleOf(field, config),
    crm: crmChange(field, input),
    vendor: vendorChange(field, input),
    verdict,
    decidedBy: decision?.rule ?? (isSent ? deal.plan.reason : null),
    lastDecision: lastDecision(field, input.journal),
    lastWrite: lastWrite(field, input.journal),
    ...(withValues && deal !== null ? { values: valuesOf(field, deal) } : {}),
  };
}

/** The fields that the next write contains without a rule's decision: those of a create, and in an update those that must go along. */
function sentFields(plan: Plan, config: MappingConfig): readonly FieldName[] {
  if ('intent' in plan) return plan.intent.fields;
  return plan.next === 'create-in-crm' ? createdFields(plan.create, config) : [];
}

/**
 * The API name of the field as a CRM user sees it. If the deal is a lead, this is the lead's field; if the lead has no such field, the
 * opportunity's field.
 */
function shownField(crmField: string, { of }: MappingConfig): string {
  return of === 'lead' ? (leadFieldOf(crmField) ?? crmField) : crmField;
}

const UNKNOWN: SideChange = { changed: 'unknown', after: null, until: null, by: null };
const UNCHANGED: SideChange = { changed: false, after: null, until: null, by: null };

function crmChange(field: FieldName, { deal, history, config }: FieldInput): SideChange {
  if (deal === null || deal.crm.kind !== 'observed') return UNKNOWN;
  const { observation } = deal.crm;
  const { base } = deal.link;
  const changed = hasChanged(field, observation.record, base?.crm, config);
  if (changed !== true) return { ...UNCHANGED, changed };
  const newest = history.filter((change) => change.field === crmFieldOf(field, config)).sort(byTime)[0];
  if (newest !== undefined) return { changed, after: newest.at, until: newest.at, by: userOf(newest.by) };
  const { opportunity, readBy } = observation.graph;
  const saver = typeof opportunity['LastModifiedById'] === 'string' ? opportunity['LastModifiedById'] : null;
  const isOurs = saver !== null && readBy != null && saver.slice(0, 15) === readBy.slice(0, 15);
  const by = isOurs ? 'lockstep' : userOf(saver);
  return { changed, after: base?.crmVersion ?? null, until: crmVersionOf(observation), by };
}

/** The 18-character id of a CRM user. Null if the text is no id, because some orgs show the user's name instead. */
function userOf(id: string | null | undefined): string | null {
  return typeof id === 'string' ? toId18(id) : null;
}

function byTime(one: CrmFieldChange, other: CrmFieldChange): number {
  return one.at < other.at ? 1 : -1;
}

function vendorChange(field: FieldName, { deal, config }: FieldInput): SideChange {
  if (deal === null || deal.vendor.kind !== 'observed') return UNKNOWN;
  const { record, version } = deal.vendor.observation;
  const { base } = deal.link;
  const changed = hasChanged(field, record, base?.vendor, config);
  if (changed !== true) return { ...UNCHANGED, changed };
  return { changed, after: base?.vendorVersion ?? null, until: version, by: null };
}

function hasChanged(
  field: FieldName,
  shown: Observed,
  agreed: Observed | undefined,
  config: MappingConfig,
): SideChange['changed'] {
  if (shown[field] === undefined || agreed === undefined) return 'unknown';
  return !sameValue(field, shown[field], agreed[field] ?? unsetOf(field), config);
}

function lastDecision(field: FieldName, journal: readonly JournalEntry[]): ExplainedField['lastDecision'] {
  for (const { at, decisions } of journal) {
    const found = decisions.find((item) => item.field === field);
    if (found !== undefined) return { at, verdict: found.verdict, rule: found.rule };
  }
  return null;
}

function lastWrite(field: FieldName, journal: readonly JournalEntry[]): ExplainedField['lastWrite'] {
  for (const { at, kind, summary, decisions } of journal) {
    if (kind !== 'remote-write') continue;
    const sent = typeof summary['fields'] === 'string' ? summary['fields'].split(' ') : null;
    const carries = sent === null ? decisions.some((item) => item.field === field) : sent.includes(field);
    if (!carries) continue;
    const traceId = summary['traceId'] ?? null;
    return {
      at,
      step: String(summary['next']),
      answer: String(summary['answer']),
      traceId: traceId === null ? null : String(traceId),
    };
  }
  return null;
}

function valuesOf(field: FieldName, { link, crm, vendor }: ObservedDeal): FieldValues {
  return {
    base: { crm: link.base?.crm[field], vendor: link.base?.vendor[field] },
    crm: crm.kind === 'observed' ? crm.observation.record[field] : undefined,
    vendor: vendor.kind === 'observed' ? vendor.observation.record[field] : undefined,
  };
}
