import { type FormulaFields, failureOf } from '../formula/formula-fields.ts';
import type { RuleSources } from '../schema/package-rules.ts';
import type { Schema } from '../schema/types.ts';
import type { AfterSaveContext, OrgRules, SaveContext } from '../store/rule-types.ts';
import { assignmentNotices, assignOwner } from './assignment-rules.ts';
import { type Automations, createAutomations } from './automations.ts';
import { applyDefaults, compileDefaults } from './defaults.ts';
import { checkDuplicates, compileDuplicateRules } from './duplicate-rules.ts';
import { applyRecordType, checkRecordTypeValues, indexRecordTypes, type MayChoose } from './record-types.ts';
import { compileRollUps, rollUp } from './roll-ups.ts';
import { createSaveFormulas, type SaveOptions } from './save-formulas.ts';
import { compileValidationRules, validate } from './validation-rules.ts';

export type CompiledRules = {
  readonly rules: OrgRules;
  readonly automations: Automations;
  /** A sentence for each rule that the simulator cannot evaluate. */
  readonly notices: readonly string[];
};

/**
 * The rules that an org adds to a save, checked once and grouped by object, at their positions in Salesforce's order of execution (Apex
 * Developer Guide: "Triggers and Order of Execution").
 */
export function compileOrgRules(
  schema: Schema,
  fields: FormulaFields,
  sources: RuleSources,
  options: SaveOptions & { readonly mayChoose: MayChoose },
): CompiledRules {
  const formulas = createSaveFormulas(schema, fields, options);
  const defaults = compileDefaults(schema, formulas);
  const automations = createAutomations(schema, formulas);
  const flows = createAutomations(schema, formulas);
  const flowNotices = sources.beforeSaveFlows.flatMap(({ name, ...flow }) => {
    const reason = failureOf(() => flows.add(flow));
    return reason === undefined ? [] : [`The flow ${name} is left out: ${reason}.`];
  });
  const validation = compileValidationRules(schema, formulas, sources.validationRules);
  const duplicates = compileDuplicateRules(schema, sources.duplicateRules, sources.matchingRules);
  const rollUps = compileRollUps(schema);
  const recordTypes = indexRecordTypes(sources.recordTypes);

  const afterSave = (context: AfterSaveContext): void => {
    for (const { object, before, draft } of rollUp(rollUps, context)) {
      const save: SaveContext = { ...context, object, before, draft, given: new Set() };
      validate(validation, formulas, save);
      // A roll-up changes no timestamp of its row, only the value.
      context.store.put(object.name, draft);
      afterSave({ ...context, object, before, after: draft });
    }
  };

  return {
    automations,
    notices: [
      ...flowNotices,
      ...assignmentNotices(sources.assignmentRules),
      ...[defaults, validation, duplicates, rollUps].flatMap(({ notices }) => notices),
    ],
    rules: {
      beforeSave: (save) => {
        applyRecordType(recordTypes, options.mayChoose, save);
        applyDefaults(defaults, formulas, save);
        flows.apply(save);
        automations.apply(save);
        checkRecordTypeValues(recordTypes, save);
      },
      validate: (save) => {
        if (save.by.conversion?.isValidated !== false) validate(validation, formulas, save);
        checkDuplicates(duplicates, save);
      },
      assign: (save) => assignOwner(sources.assignmentRules, save),
      afterSave,
    },
  };
}
