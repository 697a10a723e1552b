import { fromCrmText } from '../../domain/mapping/index.ts';
import type { CrmSchema } from '../../domain/record/crm-schema.ts';
import { crmFieldOf, directionOf, type MappingConfig } from '../../domain/record/mapping-config.ts';
import { LISTED } from '../../domain/record/value-lists.ts';
import { listOfField } from '../../domain/values/lists.ts';
import { nearest } from '../../domain/values/nearest.ts';
import { readReason } from '../../domain/values/reasons.ts';
import { fieldAt } from './judge-fields.ts';
import type { Misfit } from './problem.ts';

type Listed = (typeof LISTED)[number];

/**
 * Problems with the lists of codes in the tenant file (`vendor.lists`). The vendor gave these codes to the partner. A list has a problem if
 * the org's picklist or the mapping's value table differs from it. It also has one if the CRM field accepts values that are not in its
 * picklist.
 */
export function judgeLists(mapping: MappingConfig, schema: CrmSchema): readonly Misfit[] {
  return LISTED.flatMap((field) => {
    const list = listOfField(field, mapping);
    if (list === null) return [];
    return [...judgeTable(field, list, mapping), ...judgePicklist(field, list, mapping, schema)];
  });
}

function judgeTable(field: Listed, list: readonly string[], { fields }: MappingConfig): readonly Misfit[] {
  return (fields?.[field]?.values ?? [])
    .filter(([, code]) => !list.includes(code))
    .map(([text, code]) => ({
      at: ['fields', field, 'values', text],
      verdict: 'fails',
      what: `${code} is not in vendor.lists.${field}, so it is never sent${meant(code, list)}`,
      repair: `correct it, or add ${code} to vendor.lists.${field} of the tenant file`,
    }));
}

function judgePicklist(
  field: Listed,
  list: readonly string[],
  mapping: MappingConfig,
  schema: CrmSchema,
): readonly Misfit[] {
  const path = crmFieldOf(field, mapping);
  const found = fieldAt(path, schema);
  if (found === null || path.includes('.')) return [];
  const at = ['fields', field, 'crm'];
  const warn = (what: string, repair: string): Misfit => ({ at, verdict: 'warns', what, repair });
  if (!found.type.includes('picklist'))
    return [
      warn(
        `${path} is a text, so Salesforce saves a typing error, which then waits`,
        `name a restricted picklist with the values of vendor.lists.${field}: lockstep picklists writes one`,
      ),
    ];
  const offered = found.values.map((value) => [value, codeOf(value, field, mapping)] as const);
  const missing = list.filter((code) => !offered.some(([, each]) => each === code));
  const isWritten = directionOf(field, mapping) !== 'to-vendor';
  return [
    ...offered
      .filter(([, code]) => code !== '' && code !== 'EMPTY' && !list.includes(code))
      .map(([value, code]) =>
        warn(
          `the value ${value} of ${path} is not in vendor.lists.${field}, so it is never sent${meant(code, list)}`,
          `correct the value, or add ${code} to vendor.lists.${field} of the tenant file`,
        ),
      ),
    ...missing.map(
      (code): Misfit => ({
        ...warn(`nobody can choose ${code} of vendor.lists.${field} in ${path}`, `add it as a value of ${path}`),
        ...(found.isRestricted && isWritten ? { verdict: 'fails' } : {}),
      }),
    ),
    ...(found.isRestricted
      ? []
      : [
          warn(
            `${path} takes other values than those of its picklist, so a wrong one is saved and waits`,
            'deploy what lockstep picklists writes',
          ),
        ]),
  ];
}

function codeOf(value: string, field: Listed, mapping: MappingConfig): string {
  const text = fromCrmText(value, field, mapping);
  return field === 'reasonWon' || field === 'reasonLost' ? readReason(field, text, mapping) : text;
}

/** The text ` (did you mean <code>?)` with the code in the list that is most similar to a misspelt code; empty if none is similar. */
function meant(code: string, list: readonly string[]): string {
  const near = nearest(code, list);
  return near === null ? '' : ` (did you mean ${near}?)`;
}
