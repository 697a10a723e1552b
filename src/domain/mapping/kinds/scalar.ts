import type { Observed, Text } from '../../record/canonical.ts';
import type { CrmGraph, CrmValue } from '../../record/crm-graph.ts';
import { FIELDS } from '../../record/fields.ts';
import { ISSUES } from '../../record/issues.ts';
import { crmFieldOf } from '../../record/mapping-config.ts';
import { readText } from '../../values/text.ts';
import { fromCrmText, normalForm, toCrmText, withDefault } from '../field-text.ts';
import {
  type CrmPart,
  type CrmTarget,
  crmFieldNames,
  type Lens,
  type ReadContext,
  readValue,
  type ToVendor,
} from '../lens.ts';

/** The rules by which a field with a single value is translated between CRM and vendor. If a rule is absent, the text is used unchanged. */
type ScalarRules = {
  readonly key?: Lens<Text>['key'];
  readonly fromVendor?: Lens<Text>['fromVendor'];
  /**
   * Translates a text to the canonical value (one form for both sides). Undefined if the text is malformed for this kind of field, such as
   * a text that is no date.
   */
  meaning?(text: string, at: ReadContext): string | undefined;
  vendorForm?(value: string): string;
};

/**
 * Builds the lens (pair of translation functions) of a field with a single value. The CRM stores the value in one opportunity field, and
 * the vendor under one key of `leadOpportunity`.
 */
export function scalar(rules: ScalarRules = {}): Lens<Text> {
  const { meaning = (text: string) => text, vendorForm } = rules;
  const key = rules.key ?? ((value: unknown) => JSON.stringify(value));
  const read = (raw: unknown, at: ReadContext): Text | undefined => {
    const text = readText(raw);
    return text && meaning(text, at);
  };
  const readCrm = (raw: CrmValue | undefined, { field, config, ...at }: ReadContext): Text | undefined => {
    const text = withDefault(readText(raw), field, config);
    const own = text && (fromCrmText(text, field, config) || null);
    return own && meaning(own, { field, config, ...at });
  };
  const sameText = (kept: Text, value: Text, { field, config }: ReadContext): boolean => {
    const [held, wanted] = [kept, value].map((each) => each && normalForm(each, field, config));
    return key(asStored(held ?? null), config) === key(asStored(wanted ?? null), config);
  };
  return {
    unset: null,
    scalar: true,
    crmFields: crmFieldNames,
    vendor: { place: 'core' },
    key,
    fromCrm: (graph, at) => readValue(readCrm(graph.opportunity[crmFieldOf(at.field, at.config)], at)),
    fromVendor: rules.fromVendor ?? read,
    toCrm: (value, graph, at) =>
      writeText(value, graph, at, (present) => {
        const kept = readCrm(present, at);
        return kept !== undefined && sameText(kept, value, at);
      }),
    toNewCrm: (value, { field, config }) => {
      const text = value ? toCrmText(value, field, config) : undefined;
      return text === undefined ? {} : { opportunity: { [crmFieldOf(field, config)]: text } };
    },
    toVendor: (value, { field }) => (value ? sendScalar(field, value, vendorForm?.(value)) : { kind: 'unset' }),
  };
}

/** The result of translating a single value for the vendor: the JSON to send (`json`), and the value as a later read will show it. */
export function sendScalar(field: keyof Observed, value: string, json = value): ToVendor {
  return { kind: 'send', value: json, record: { [field]: value } };
}

function writeText(
  value: Text,
  { opportunity }: CrmGraph,
  { field, config }: CrmTarget,
  says: (present: CrmValue) => boolean,
): CrmPart {
  const crm = crmFieldOf(field, config);
  const present = opportunity[crm];
  if (present === undefined) return { issues: [ISSUES.hiddenFromUser(field, [crm])] };
  if (says(present)) return {};
  const text = value?.trim() ? toCrmText(value, field, config) : null;
  if (text === undefined) return { issues: [ISSUES.doesNotFit(field, crm, 'no-text')] };
  const stored = asStored(text);
  if (stored === readText(present)) return {};
  if (stored === null && FIELDS[field].crmRequired) return { issues: [ISSUES.crmCannotClear(field, crm)] };
  return { opportunity: { [crm]: stored } };
}

/** The text as Salesforce stores it: trimmed. A text of white space only is unset. */
function asStored(value: Text): Text {
  return value === null ? null : value.trim() || null;
}
