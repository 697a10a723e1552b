import { compileFormula } from '../formula/compile.ts';
import type { FormulaFields } from '../formula/formula-fields.ts';
import { createReferences } from '../formula/references.ts';
import type { Compiled, FormulaContext } from '../formula/types.ts';
import type { ObjectDef, Schema } from '../schema/types.ts';
import type { SaveContext } from '../store/rule-types.ts';
import { zoneOf } from '../store/time-zone.ts';

/** How formulas of a save are checked and worked out: the running user is known, and a blank number is blank. */
export type SaveFormulas = {
  readonly compile: (object: ObjectDef, text: string) => Compiled;
  readonly contextOf: (save: SaveContext) => FormulaContext;
};

export function createSaveFormulas(schema: Schema, fields: FormulaFields, now: () => Date): SaveFormulas {
  return {
    compile: (object, text) =>
      compileFormula(
        text,
        createReferences({
          schema,
          object,
          blanksAsZero: false,
          hasUser: true,
          compiledOf: fields.compiledOf,
        }),
      ),
    contextOf: ({ store, before, draft, by }) => {
      const user = store.get('User', by.userId);
      return { row: draft, before, now: now(), timeZone: () => zoneOf(store, user), get: store.get, user };
    },
  };
}
