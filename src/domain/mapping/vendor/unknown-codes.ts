import type { FieldName, Observed } from '../../record/canonical.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { forecastName } from '../../values/forecast.ts';
import { isKnownReason } from '../../values/reasons.ts';
import { isKnownRevenueType } from '../../values/revenue-type.ts';
import { statusName } from '../../values/status.ts';

/** A code that the vendor shows in a field; `revenueType` is that of its lines. */
export type ShownCode = { readonly field: CodedField; readonly code: string };
export type CodedField = (typeof CODED)[number] | 'revenueType';

/** Fields of which the vendor's values are codes. What people write is none, whatever table its field has: it is told nowhere. */
const CODED = [
  'status',
  'forecastCategory',
  'reasonWon',
  'reasonLost',
  'cometCampaignCode',
  'gtmTacticId',
] as const satisfies readonly FieldName[];

/**
 * The codes of a vendor's record that neither its documents nor the tenant's tables name: each travels on as it is. A field
 * whose codes nobody lists has none (campaigns and tactics without a value table). Pure.
 */
export function unknownCodes(record: Observed, config: MappingConfig): readonly ShownCode[] {
  const shown: ShownCode[] = [
    ...CODED.flatMap((field) => textsOf(record[field]).map((code) => ({ field, code }))),
    ...(record.offerLines ?? []).flatMap(({ revenueType: code }) =>
      code === null ? [] : [{ field: 'revenueType' as const, code }],
    ),
  ];
  const unknown = shown.filter((each) => !isKnownCode(each, config));
  return [...new Map(unknown.map((each) => [`${each.field} ${each.code}`, each])).values()];
}

/** Whether the documents or the tenant's tables say what a code means; always where a field has no list of codes. */
export function isKnownCode({ field, code }: ShownCode, config: MappingConfig): boolean {
  if (field === 'revenueType') return isKnownRevenueType(code, config);
  const table = config.fields?.[field]?.values;
  if (table?.some(([, vendor]) => vendor === code) === true) return true;
  switch (field) {
    case 'status':
      return statusName(code, config) !== null;
    case 'forecastCategory':
      return forecastName(code, config) !== null;
    case 'reasonWon':
    case 'reasonLost':
      return isKnownReason(field, code, config);
    default:
      return table === undefined;
  }
}

function textsOf(value: Observed[FieldName]): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
