import type { FieldName, Observed, Text } from '../../record/canonical.ts';
import { FIELDS } from '../../record/fields.ts';
import type { VendorIntent } from '../../record/intent.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';
import { isCurrency } from '../../values/currency.ts';
import { dateInstant } from '../../values/date.ts';
import { forecastVerdict } from '../../values/forecast.ts';
import { unsendableReasons } from '../../values/reasons.ts';
import type { MappingConfig } from '../config.ts';

/** One scalar or set of `leadOpportunity` (sales spec 2.1): its JSON value, or why it does not travel now. */
export type CoreValue =
  | { readonly kind: 'send'; readonly value: unknown }
  | { readonly kind: 'unset' }
  | { readonly kind: 'withhold'; readonly issue: Issue | null };

export const CORE_FIELDS = [
  'name',
  'dsOwnerEmail',
  'status',
  'forecastCategory',
  'closeDate',
  'cometCampaignCode',
  'reasonWon',
  'reasonLost',
  'competitors',
  'reasonWonLostComment',
  'gtmTacticId',
  'description',
  'nextMilestone',
  'nextMilestoneDate',
  'currency',
] as const satisfies readonly FieldName[];

export type CoreField = (typeof CORE_FIELDS)[number];

/**
 * The vendor's form of a core field: dates as midnight UTC, sets as arrays, codes as they are.
 *
 * @param status the status that the record has once the request is applied; the forecast matrix depends on it.
 */
export function coreValue(
  field: CoreField,
  record: Observed,
  status: Text,
  config: MappingConfig,
): CoreValue {
  const value = record[field];
  if (value === undefined || value === null || value === '') return { kind: 'unset' };
  if (typeof value !== 'string') return codesValue(field, value, config);
  if (field === 'forecastCategory') return forecastValue(value, status, config);
  if (field === 'currency' && !isCurrency(value)) return withhold(ISSUES.badCurrency());
  return { kind: 'send', value: FIELDS[field].kind === 'date' ? dateInstant(value) : value };
}

function codesValue(field: CoreField, codes: readonly string[], config: MappingConfig): CoreValue {
  if (codes.length === 0) return { kind: 'unset' };
  if (field !== 'reasonWon' && field !== 'reasonLost') return { kind: 'send', value: [...codes] };
  const unsendable = unsendableReasons(field, codes, config);
  if (unsendable.length === 0) return { kind: 'send', value: [...codes] };
  return withhold(ISSUES.reasonWithoutCode(field, unsendable));
}

function forecastValue(code: string, status: Text, config: MappingConfig): CoreValue {
  const verdict = forecastVerdict(code, status, config);
  if (verdict === 'send') return { kind: 'send', value: code };
  if (verdict === 'not-now') return { kind: 'withhold', issue: null };
  return withhold(ISSUES.forecastWithoutCode());
}

function withhold(issue: Issue): CoreValue {
  return { kind: 'withhold', issue };
}

/** Collects a request body together with the canonical fields it carries, as a later read shows them. */
export type BodyParts = {
  readonly core: Record<string, unknown>;
  readonly rest: Record<string, unknown>;
  readonly record: Record<string, unknown>;
};

/** An intent of what was collected (sales spec 4.1, 4.2). */
export function intentOf(parts: BodyParts, reference: string, partnerId: string): VendorIntent {
  return {
    body: {
      ...(partnerId === '' ? {} : { partnerId }),
      leadOpportunity: { partnerLeadOpportunityId: reference, ...parts.core },
      ...parts.rest,
    },
    fields: Object.keys(parts.record) as FieldName[],
    record: parts.record as Observed,
  };
}
