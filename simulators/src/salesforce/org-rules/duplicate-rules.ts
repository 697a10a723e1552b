import type { DuplicateRuleSource, MatchingRuleSource } from '../schema/package-rules.ts';
import type { FieldDef, Schema } from '../schema/types.ts';
import { ApiFailure } from '../store/failure.ts';
import type { Row } from '../store/row.ts';
import type { SaveContext } from '../store/rule-types.ts';

type Match = {
  readonly name: string;
  readonly keys: readonly { readonly field: FieldDef; readonly matchesBlanks: boolean }[];
};

type Rule = DuplicateRuleSource & { readonly matches: readonly Match[] };

/** Duplicate rules by object. Fuzzy matching methods are treated as exact, with a notice. */
export type DuplicateRules = {
  readonly byObject: ReadonlyMap<string, readonly Rule[]>;
  readonly notices: readonly string[];
};

export function compileDuplicateRules(
  schema: Schema,
  sources: readonly DuplicateRuleSource[],
  matching: readonly MatchingRuleSource[],
): DuplicateRules {
  const notices: string[] = [];
  const rules = sources.map((source): Rule => {
    const where = `The duplicate rule ${source.object}.${source.name}`;
    if (source.isFiltered) notices.push(`${where} applies to all rows: its filter is not simulated.`);
    const matches = source.matchingRules.flatMap((name) => {
      const found = matching.find((each) => each.object === source.object && each.name === name);
      const match = found && compileMatch(schema, found);
      if (match === undefined) notices.push(`${where} is left out: the matching rule ${name} is not simulated.`);
      else if (found?.items.some(({ method }) => method !== 'Exact')) {
        notices.push(`${where} compares exactly: fuzzy matching is not simulated.`);
      }
      return match ?? [];
    });
    return { ...source, matches };
  });
  return { byObject: Map.groupBy(rules, ({ object }) => object), notices };
}

/** Compiles items that must all match. A custom logic such as `1 OR 2` is not supported. */
function compileMatch(schema: Schema, { object, name, items, booleanFilter }: MatchingRuleSource): Match | undefined {
  const fields = schema.object(object)?.fields;
  const keys = items.flatMap(({ field, matchesBlanks }) => {
    const found = fields?.get(field.toLowerCase());
    return found === undefined ? [] : [{ field: found, matchesBlanks }];
  });
  const hasLogic = booleanFilter !== null && /\bOR\b/i.test(booleanFilter);
  return keys.length === items.length && !hasLogic ? { name, keys } : undefined;
}

/** Refuses a duplicate, unless the rule only warns and the client allows it (REST API: Duplicate Rule Header). */
export function checkDuplicates({ byObject }: DuplicateRules, save: SaveContext): void {
  const isNew = save.before === null;
  for (const rule of byObject.get(save.object.name) ?? []) {
    const allows = (isNew ? rule.onInsert : rule.onUpdate) === 'Allow';
    const alerts = isNew ? rule.alertsOnInsert : rule.alertsOnUpdate;
    if (allows && (!alerts || save.by.allowDuplicates === true)) continue;
    for (const match of rule.matches) {
      if (!isNew && !match.keys.some(({ field }) => save.given.has(field.name))) continue;
      const found = duplicatesOf(save, match);
      if (found.length > 0) throw detected(rule, match, found, allows);
    }
  }
}

function duplicatesOf({ store, object, draft }: SaveContext, { keys }: Match): readonly Row[] {
  const fold = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : (value ?? null));
  const isComparable = keys.every(({ field, matchesBlanks }) => matchesBlanks || fold(draft[field.name]) !== null);
  if (!isComparable) return [];
  const lead = keys.find(({ field }) => !field.caseSensitive && fold(draft[field.name]) !== null)?.field;
  const rows = lead === undefined ? store.rows(object.name) : store.find(object.name, lead, draft[lead.name] ?? null);
  return Array.from(rows).filter(
    (row) =>
      row['Id'] !== draft['Id'] &&
      row['IsDeleted'] !== true &&
      keys.every(({ field }) => fold(row[field.name]) === fold(draft[field.name])),
  );
}

/**
 * The error that Salesforce returns if a duplicate rule finds matching records (`found`). `allowSave`: whether the user may save the record
 * nevertheless. The misspelled key `duplicateResut` is Salesforce's own.
 */
function detected(rule: Rule, match: Match, found: readonly Row[], allowSave: boolean): ApiFailure {
  const matchRecords = found.map((row) => ({
    additionalInformation: [],
    fieldDiffs: [],
    matchConfidence: 100,
    record: { attributes: { type: rule.object }, Id: row['Id'] },
  }));
  const result = {
    entityType: rule.object,
    errors: [],
    matchEngine: 'ExactMatchEngine',
    matchRecords,
    rule: match.name,
    size: found.length,
    success: true,
  };
  const duplicateResut = {
    allowSave,
    duplicateRule: rule.name,
    duplicateRuleEntityType: rule.object,
    errorMessage: rule.alertText,
    matchResults: [result],
  };
  const error = { duplicateResut, errorCode: 'DUPLICATES_DETECTED', message: rule.alertText };
  return new ApiFailure(400, [error]);
}
