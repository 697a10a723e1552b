import { compileFormula } from '../formula/compile.ts';
import type { FormulaFields } from '../formula/formula-fields.ts';
import { createReferences } from '../formula/references.ts';
import type { Compiled, FormulaContext } from '../formula/types.ts';
import type { ObjectDef, Schema } from '../schema/types.ts';
import type { SaveContext } from '../store/rule-types.ts';
import { zoneOf } from '../store/time-zone.ts';

/** Compiles and evaluates formulas during a save: there is a running user, and an empty number is blank. */
export type SaveFormulas = {
  readonly compile: (object: ObjectDef, text: string) => Compiled;
  readonly contextOf: (save: SaveContext) => FormulaContext;
};

export type SaveOptions = {
  readonly now: () => Date;
  readonly permissions: ReadonlySet<string>;
  readonly hasPermission: (userId: string, name: string) => boolean;
};

export function createSaveFormulas(schema: Schema, fields: FormulaFields, options: SaveOptions): SaveFormulas {
  return {
    compile: (object, text) =>
      compileFormula(
        text,
        createReferences({
          schema,
          object,
          blanksAsZero: false,
          hasUser: true,
          permissions: options.permissions,
          compiledOf: fields.compiledOf,
        }),
      ),
    contextOf: ({ store, before, draft, by }) => {
      const user = store.get('User', by.userId);
      return {
        row: draft,
        before,
        now: options.now(),
        timeZone: () => zoneOf(store, user),
        get: store.get,
        user,
        hasPermission: (name) => options.hasPermission(by.userId, name),
      };
    },
  };
}
