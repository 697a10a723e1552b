import type { FieldName, Observed } from '../../record/canonical.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { forecastName } from '../../values/forecast.ts';
import { listOfField } from '../../values/lists.ts';
import { isKnownReason } from '../../values/reasons.ts';
import { isKnownRevenueType } from '../../values/revenue-type.ts';
import { statusName } from '../../values/status.ts';

/** A code in a field of a vendor record. `revenueType` is a field of the record's lines. */
export type ShownCode = { readonly field: CodedField; readonly code: string };
export type CodedField = (typeof CODED)[number] | 'revenueType';

/**
 * Fields in which the vendor's values are codes. Free texts never count as codes, even if the tenant translates the field's values by a
 * table.
 */
const CODED = [
  'status',
  'forecastCategory',
  'reasonWon',
  'reasonLost',
  'competitors',
  'cometCampaignCode',
  'gtmTacticId',
] as const satisfies readonly FieldName[];

/**
 * The codes in a vendor record that neither the vendor's documents nor the tenant file contain, so that operators can see them. Only fields
 * for which a list of codes is known are checked. Lockstep syncs unknown codes unchanged. Pure.
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

/** Whether the vendor's documents or the tenant file contain a code. Also true for a field for which no list of codes is known. */
export function isKnownCode({ field, code }: ShownCode, config: MappingConfig): boolean {
  if (field === 'revenueType') return isKnownRevenueType(code, config);
  const list = listOfField(field, config);
  if (list !== null) return list.includes(code);
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
