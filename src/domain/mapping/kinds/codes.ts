import type { Codes } from '../../record/canonical.ts';
import type { CrmGraph, CrmValue } from '../../record/crm-graph.ts';
import { ISSUES } from '../../record/issues.ts';
import { crmFieldOf } from '../../record/mapping-config.ts';
import { codeSet, isUnset, listOf, readText } from '../../values/text.ts';
import { fromCrmText, normalForm, toCrmText, withDefault } from '../field-text.ts';
import {
  type CrmPart,
  type CrmTarget,
  crmFieldNames,
  type Lens,
  type ReadContext,
  readValue,
  type VendorTarget,
} from '../lens.ts';

type CodesRules = {
  /**
   * Translates one value of a multi-value field, as the CRM or the vendor writes it, into its code. If the result is `''`, the value is
   * left out. If the function is absent, the values are codes already.
   */
  meaning?(member: string, at: ReadContext): string;
  /**
   * Returns an issue if the vendor must not get these codes now; null if they may be sent. If the function is absent, codes may always be
   * sent.
   */
  withheld?(codes: Codes, at: VendorTarget): ReturnType<typeof ISSUES.reasonWithoutCode> | null;
};

/**
 * Builds the lens (pair of translation functions) of a set of codes. The CRM stores the set in a multi-select picklist of the opportunity,
 * and the vendor in an array of `leadOpportunity`.
 */
export function codesLens(rules: CodesRules = {}): Lens<Codes> {
  const meaning = rules.meaning ?? ((member: string) => member);
  const own = (member: string, at: ReadContext): string => {
    const text = fromCrmText(member, at.field, at.config);
    return text === '' ? '' : meaning(text, at);
  };
  const read = (raw: CrmValue, at: ReadContext): Codes => {
    const members = rawMembers(withDefault(readText(raw), at.field, at.config) ?? null);
    return codeSet(members.map((member) => own(member, at)));
  };
  return {
    unset: [],
    scalar: false,
    crmFields: crmFieldNames,
    vendor: { place: 'core' },
    key: keyOfSet,
    fromCrm: (graph, at) => {
      const raw = graph.opportunity[crmFieldOf(at.field, at.config)];
      return readValue(raw === undefined ? undefined : read(raw, at));
    },
    fromVendor: (value, at) => {
      if (isUnset(value)) return [];
      const members = typeof value === 'string' ? [value] : value;
      if (!Array.isArray(members)) return undefined;
      const texts = members.map((member) => readText(member));
      if (texts.includes(undefined)) return undefined;
      return codeSet(texts.map((text) => (text ? meaning(text, at) : '')));
    },
    toCrm: (codes, graph, at) => writeSet(codes, graph, at, read, own),
    toNewCrm: (codes, { field, config }) => {
      const names = codes.flatMap((code) => toCrmText(code, field, config) ?? []);
      return names.length === 0 ? {} : { opportunity: { [crmFieldOf(field, config)]: names.join(';') } };
    },
    toVendor: (codes, at) => {
      if (codes.length === 0) return { kind: 'unset' };
      const issue = rules.withheld?.(codes, at) ?? null;
      if (issue !== null) return { kind: 'withhold', issue };
      return { kind: 'send', value: [...codes], record: { [at.field]: codes } };
    },
  };
}

/** Translates a set of codes between the CRM and the vendor, which both use the same codes. */
export const CODES: Lens<Codes> = codesLens();

/**
 * The CRM write that stores a set of codes in a multi-select picklist. If the picklist already contains a value that means one of the
 * codes, this value stays as the CRM writes it.
 */
function writeSet(
  codes: Codes,
  { opportunity }: CrmGraph,
  at: CrmTarget,
  read: (raw: CrmValue, at: ReadContext) => Codes,
  own: (member: string, at: ReadContext) => string,
): CrmPart {
  const { field } = at;
  const crm = crmFieldOf(field, at.config);
  const present = opportunity[crm];
  if (present === undefined) return { issues: [ISSUES.hiddenFromUser(field, [crm])] };
  const formOf = (code: string): string => normalForm(code, field, at.config);
  // The tenant's transforms leave nothing of some codes. The CRM cannot store those codes.
  const kept = codes.filter((code) => formOf(code) !== '');
  const shown = read(present, at).map(formOf);
  if (keyOfSet(kept.map(formOf)) === keyOfSet(shown.filter((form) => form !== ''))) return {};
  if (kept.some((code) => code.includes(';'))) return { issues: [ISSUES.codeWithSemicolon(field)] };
  const held = rawMembers(present);
  const names = kept.map(
    (code) => held.find((name) => formOf(own(name, at)) === formOf(code)) ?? toCrmText(code, field, at.config),
  );
  if (names.includes(undefined)) return { issues: [ISSUES.doesNotFit(field, crm, 'no-text')] };
  const stored = names.length === 0 ? null : [...new Set(names)].join(';');
  return stored === readText(present) ? {} : { opportunity: { [crm]: stored } };
}

function keyOfSet(value: unknown): string {
  return JSON.stringify([...new Set(listOf(value))].sort());
}

/** The values in a multi-select picklist field, as the CRM stores them: separated by semicolons. */
function rawMembers(value: CrmValue): readonly string[] {
  return typeof value === 'string' ? value.split(';') : [];
}
