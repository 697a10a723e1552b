import { failureOf, fieldValue } from '../formula/formula-fields.ts';
import { type Compiled, FormulaRuntimeError } from '../formula/types.ts';
import type { FieldDef, Schema } from '../schema/types.ts';
import type { SaveContext } from '../store/rule-types.ts';
import type { SaveFormulas } from './save-formulas.ts';

type Default = { readonly field: FieldDef; readonly value: Compiled };

/** Default values that are formulas, by object (Metadata API: CustomField.defaultValue). */
export type Defaults = {
  readonly byObject: ReadonlyMap<string, readonly Default[]>;
  readonly notices: readonly string[];
};

export function compileDefaults(schema: Schema, formulas: SaveFormulas): Defaults {
  const notices: string[] = [];
  const byObject = new Map<string, Default[]>();
  for (const object of schema.objects) {
    for (const field of object.fields.values()) {
      const text = field.defaultFormula;
      if (text === null) continue;
      const reason = failureOf(() => {
        const value = formulas.compile(object, text);
        byObject.set(object.name, [...(byObject.get(object.name) ?? []), { field, value }]);
      });
      if (reason !== undefined) notices.push(`The default of ${object.name}.${field.name} is left out: ${reason}.`);
    }
  }
  return { byObject, notices };
}

/** Gives a new row the default values of unwritten fields, except in a lead's conversion. */
export function applyDefaults({ byObject }: Defaults, formulas: SaveFormulas, save: SaveContext): void {
  const defaults = byObject.get(save.object.name);
  if (save.before !== null || defaults === undefined || save.by.conversion !== undefined) return;
  const context = formulas.contextOf(save);
  for (const { field, value } of defaults) {
    if (save.given.has(field.name)) continue;
    try {
      save.draft[field.name] = fieldValue(field, value.run(context));
    } catch (error) {
      if (!(error instanceof FormulaRuntimeError)) throw error;
    }
  }
}
