import type { FieldName } from '../../domain/record/canonical.ts';
import type { FieldSpec } from '../../domain/record/field-spec.ts';
import { FIELD_NAMES } from '../../domain/record/fields.ts';
import { type CrmNames, fieldNamed, type MappingConfig } from '../../domain/record/mapping-config.ts';

/** A conflict rule for one field, as an operator writes it in the form `description=crm`. */
export type RuleText = { readonly field: string; readonly rule: FieldSpec['rule'] };

export const CONFLICT_RULES = ['newest', 'crm', 'vendor', 'manual'] as const satisfies readonly FieldSpec['rule'][];

/** Thrown for a conflict rule on a field that Lockstep does not know. The message names the field. */
export class UnknownField extends Error {
  override readonly name = 'UnknownField';
}

/** Parses a conflict rule in the form `field=rule`; null for any other text. */
export function parseRule(text: string): RuleText | null {
  const [field = '', name, ...rest] = text.split('=');
  const rule = CONFLICT_RULES.find((one) => one === name);
  if (rule === undefined || rest.length > 0 || !/^[A-Za-z]\w{0,79}(\.[A-Za-z]\w{0,79})?$/.test(field)) return null;
  return { field, rule };
}

/**
 * Returns a copy of `mapping` with other conflict rules: each rule in `texts` replaces the rule for its field. `fields` in the result: the
 * fields with a replaced rule, by Lockstep's names. Throws `UnknownField`.
 */
export function withRules(
  mapping: MappingConfig,
  texts: readonly RuleText[],
): { readonly mapping: MappingConfig; readonly fields: readonly FieldName[] } {
  const rules = texts.map(({ field, rule }) => [known(field, mapping), rule] as const);
  return {
    mapping: { ...mapping, rules: { ...mapping.rules, ...Object.fromEntries(rules) } },
    fields: rules.map(([field]) => field),
  };
}

function known(text: string, names: CrmNames): FieldName {
  const found = fieldNamed(text, names);
  if (found === null) throw new UnknownField(`No field is called ${text}. The fields are ${FIELD_NAMES.join(', ')}.`);
  return found;
}
